import { sql, type Kysely } from 'kysely';

/** What an earlier release wrote as the detail of a fault, in English, and the fault that it is. */
const sentences = `(values
  ('address_unknown', 'No device has this name.'),
  ('address_private', 'This address is on the server''s own network. If your printer is there, allow that in the printer''s settings.'),
  ('address_own_machine', 'This is the address of the server itself, not of a printer.'),
  ('address_not_single', 'This address does not belong to a single device.'),
  ('no_print_system', 'The server''s print system (CUPS) is not running.'),
  ('no_queue', 'The server has no print queue of this name.'),
  ('queue_stopped', 'The print queue is stopped.')
) as known (fault, sentence)`;

/**
 * Why a printer cannot be connected to is its fault, and no sentence beside it. Databases in which migration 043 has run have
 * the sentence in `prints.fault_detail`, others still within `prints.error`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
update printers set fault = known.fault, fault_detail = null from ${sentences} where fault_detail = sentence;
update prints set fault = known.fault, error = null from ${sentences}
where prints.fault in ('wrong_address', 'other', 'offline') and right(error, length(sentence) + 3) = ' (' || sentence || ')';
do $$ begin
  if exists (
    select from information_schema.columns
    where table_schema = current_schema() and table_name = 'prints' and column_name = 'fault_detail'
  ) then
    update prints set fault = known.fault, fault_detail = null from ${sentences} where fault_detail = sentence;
  end if;
end $$;
`,
    )
    .execute(db);
}
