import { sql } from 'kysely';
import { inTransaction, withStatementLimit } from '#database/transaction.ts';
import type { DueWork } from '#database/jobs/due-work.ts';
import type { Db, Tx } from '#database/schema.ts';
import { countDays, monthColumns, monthOf } from '#reports/server/count-days.ts';
import { storeZones } from '#store/server/store-views.ts';

/** Any number that nothing else locks. */
const lock = 7_303;
/** A debounce: days that change together are summed up once, and today not after each order. */
const settled = 60_000;
const atOnce = 20;

const columns = sql`store_id, trading_day, "orders", gross, subtotal, tips, fees, "refunds", refunded, refunded_tips, vat, parts,
  "items", lost, late, owing, cards, fee_unknown, test`;

/** Sums up trading days again whose orders changed; reports count those days themselves until then. */
export function takingsWork({ db }: { db: Db }): DueWork<boolean> {
  return {
    name: 'takings',
    due: (now) => sql`exists (
      select from takings_changes where at < ${new Date(now.getTime() - settled)} order by id limit 1)`,
    work: () => withStatementLimit(60_000, () => keepTakings(db)),
  };
}

/** Sums up every changed day, and then the months that lack their sums. Returns how many days it did. */
export async function keepTakings(db: Db): Promise<number> {
  const kept = await keepDays(db);
  await keepMonths(db);
  return kept;
}

async function keepDays(db: Db): Promise<number> {
  for (let kept = 0; ;) {
    const days = await inTransaction(db, async (tx) => {
      if (!(await isMyTurn(tx))) return 0;
      const changed = await sql<{ store_id: string; trading_day: string }>`
        with days as (select distinct store_id, trading_day from takings_changes limit ${atOnce}),
          taken as (delete from takings_changes c using days d
            where (c.store_id, c.trading_day) = (d.store_id, d.trading_day))
        select store_id, trading_day from days`.execute(tx);
      if (changed.rows.length === 0) return 0;
      await sql`set local jit = off`.execute(tx);
      // A statement of its own: it sees every order whose change was taken above. One that comes later stays noted.
      await sql`
        insert into takings (${columns})
        select ${columns} from (${countDays(sql`(
          select store_id, trading_day, timezone
          from unnest(${changed.rows.map((day) => day.store_id)}::uuid[], ${changed.rows.map((day) => day.trading_day)}::date[])
            as day (store_id, trading_day) join ${storeZones} as zones on zones.id = store_id)`)}) as counted
        on conflict (store_id, trading_day) do update set (orders, gross, subtotal, tips, fees, "refunds", refunded,
          refunded_tips, vat, parts, "items", lost, late, owing, cards, fee_unknown, test) = (excluded.orders, excluded.gross,
          excluded.subtotal, excluded.tips, excluded.fees, excluded.refunds, excluded.refunded, excluded.refunded_tips,
          excluded.vat, excluded.parts, excluded.items, excluded.lost, excluded.late, excluded.owing, excluded.cards,
          excluded.fee_unknown, excluded.test)`.execute(tx);
      return changed.rows.length;
    });
    kept += days;
    if (days < atOnce) return kept;
  }
}

/** Only past months: days of a store's latest month change all the time. */
function keepMonths(db: Db): Promise<void> {
  return inTransaction(db, async (tx) => {
    if (!(await isMyTurn(tx))) return;
    await sql`set local jit = off`.execute(tx);
    await sql`
      insert into takings_months (store_id, month, vat, parts, "items", lost, late, owing, cards, fee_unknown, test)
      select o.store_id, o.month, ${monthColumns(sql`(
        select * from takings t
        where t.store_id = o.store_id and t.trading_day >= o.month and t.trading_day < o.month + interval '1 month')`)}
      from (
        select store_id, month from (
          select store_id, month, max(month) over (partition by store_id) as latest
          from (select distinct store_id, ${monthOf(sql`trading_day`)} as month from takings) as every) as each
        where month < latest) as o
      where not exists (select from takings_months m where m.store_id = o.store_id and m.month = o.month)`.execute(tx);
  });
}

/** One at a time: two counts of a day would race. The turn ends with the transaction. */
async function isMyTurn(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ isFree: boolean }>`select pg_try_advisory_xact_lock(${lock}) as "isFree"`.execute(tx);
  return rows[0]?.isFree === true;
}
