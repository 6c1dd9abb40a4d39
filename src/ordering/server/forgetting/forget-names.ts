import { sql } from 'kysely';
import type { Db } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';

const atOnce = 500;

/**
 * Removes names that no order has any more. A name of an order that is being placed stays until the next run. Nobody
 * waits for the lock: a concurrent order adds the name again.
 */
export async function forgetNames(db: Db): Promise<void> {
  const newest = await db.selectFrom('order_names_left').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst();
  for (let isDone = newest === undefined; !isDone;) {
    isDone = await inTransaction(db, async (tx) => {
      const { rows: left } = await sql<{ name: string }>`
        delete from order_names_left where id in (
          select id from order_names_left where id <= ${newest?.id} order by id limit ${atOnce} for update skip locked)
        returning name`.execute(tx);
      const names = [...new Set(left.map(({ name }) => name))];
      const { rows: held } = await sql<{ id: string }>`
        select id from order_names where name = any(${names}::text[]) for update skip locked`.execute(tx);
      const ids = held.map(({ id }) => id);
      // A statement of its own: it sees the orders of everybody who held one of these rows before.
      await sql`
        delete from order_names n where id = any(${ids}::bigint[])
          and not exists (select from order_search s where s.name = n.name and s.name <> '')`.execute(tx);
      await sql`
        insert into order_names_left (name)
        select distinct name from order_names where name = any(${names}::text[]) and id <> all(${ids}::bigint[])`.execute(
        tx,
      );
      return left.length < atOnce;
    });
  }
}
