import { sql, type Kysely } from 'kysely';

/** The reasons that are codes, and so name nobody. */
const known = `'too_busy', 'closing_early', 'item_unavailable', 'cannot_deliver', 'bad_address', 'not_answered',
    'other', 'rung', 'left', 'sold_out', 'customer_asked'`;

/**
 * What staff write about an order goes with its customer: here for the customers that are forgotten already. A trading day's
 * sums list the reasons, so a changed one has the day summed up again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
create trigger takings_reasons_changed after update on order_history for each row
when (old.reason is distinct from new.reason) execute function note_day_of_order();

create temporary table forgotten on commit drop as
  select id from orders where contact->>'name' = '';
create unique index on forgotten (id);
analyze forgotten;

update order_history h set
  reason = case when reason in (${known}) then reason end,
  note = case when note->>'reason' not in (${known}) then jsonb_set(note, '{reason}', '""') else note end
from forgotten f where h.order_id = f.id and (reason not in (${known}) or note->>'reason' not in (${known}));
update refunds r set reason = '' from forgotten f where r.order_id = f.id and reason <> '';
create temporary table lines_forgotten on commit drop as
  select l.id from audit_log l join forgotten f on l.subject_id = f.id where l.detail - 'minutes' <> '{}';
update audit_log set detail = null where id in (select id from lines_forgotten);
delete from audit_search where id in (select id from lines_forgotten);
`,
    )
    .execute(db);
}
