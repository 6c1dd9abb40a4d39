import { sql, type Kysely } from 'kysely';

/**
 * What is wrong with a print is its fault and what the printer said; the words are made where they are read. A sentence
 * that is none of these stays as it was written.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
alter table prints add column fault_detail text;
update prints set fault = 'no_printer', error = null where fault is null and error = 'No printer is set up.';
update prints set fault = 'unanswered', error = null
where fault = 'offline' and error = 'The printer did not say whether it printed. Look at the paper.';
with words (fault, sentence) as (values
  ('paper_out', 'The printer is out of paper. Put in a new roll.'),
  ('cover_open', 'The printer''s cover is open. Close it.'),
  ('cutter', 'The printer''s cutter is stuck. Switch it off, clear the paper, and switch it on.'),
  ('overheated', 'The printer is too hot. It goes on when it has cooled down.'),
  ('busy', 'The printer is busy with something else.'),
  ('offline', 'The printer does not answer. Is it switched on and connected?'),
  ('no_device', 'No board is switched on that can reach the printer.'),
  ('wrong_address', 'There is no printer at this address.'),
  ('refused_by_browser', 'The browser may not reach the printer. Allow access to the local network.'),
  ('removed', 'The printer was removed.'),
  ('unreadable', 'This receipt could not be made.'),
  ('other', 'The printer reports a fault.')
)
update prints set error = null,
  fault_detail = nullif(substring(error from length(sentence) + 3 for greatest(length(error) - length(sentence) - 3, 0)), '')
from words
where prints.fault = words.fault
  and (error = sentence or (starts_with(error, sentence || ' (') and right(error, 1) = ')'));
`,
    )
    .execute(db);
}
