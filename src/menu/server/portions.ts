import { type RawBuilder, sql } from 'kysely';
import type { DueWork } from '#database/jobs/due-work.ts';
import type { Db, Tx } from '#database/schema.ts';
import { changeWithEffects } from '#database/transaction.ts';
import type { MenuServices } from '#menu/server/services.ts';
import { changeStore } from '#store/server/change-store.ts';

export interface Portions {
  item_id: string;
  quantity: number;
}

/**
 * Parts of the statement that inserts orders. `wanted` selects `order_id`, `ordinal`, `item_id` and `quantity`. `short`
 * has the orders for which too few portions are left after the earlier orders of the batch. `taken` counts down the
 * dishes of the orders in `inserted`.
 */
export function countDownPortionsSql(wanted: RawBuilder<unknown>) {
  return {
    find: sql`wanted as materialized (${wanted}), portioned as materialized (
  -- Locked in one order, so that two batches cannot wait for each other.
  select id, portions_left from items where id in (select item_id from wanted) order by id for no key update
), short as (
  select distinct order_id from (
    select order_id, portions_left, sum(quantity) over (partition by item_id order by ordinal) as so_far
    from wanted join portioned on portioned.id = wanted.item_id) summed
  where so_far > portions_left
)`,
    take: sql`taken as (
  update items set portions_left = portions_left - sold.quantity from (
    select item_id, sum(quantity)::int as quantity from wanted join inserted on inserted.id = wanted.order_id group by item_id
  ) sold where items.id = sold.item_id
)`,
  };
}

/** How many portions of each dish can still be ordered, by the dish's id; null: the dish's portions are not counted. */
export type PortionsLeft = ReadonlyMap<string, number | null>;

/**
 * Reads how many portions of dishes are left. It reads the database, because cached menus may be stale. `lock` locks
 * the dishes' rows until the transaction ends.
 */
export async function readPortionsLeft(db: Db, ids: readonly string[], { lock }: { lock: boolean }) {
  if (ids.length === 0) return new Map<string, number | null>();
  const rows = await db
    .selectFrom('items')
    .select(['id', 'portions_left'])
    .where('id', 'in', ids)
    .orderBy('id')
    .$if(lock, (query) => query.forNoKeyUpdate())
    .execute();
  return new Map(rows.map(({ id, portions_left: left }) => [id, left]));
}

/** Gives portions back to dishes whose portions are still counted. */
export async function restorePortions(tx: Tx, portions: readonly Portions[]): Promise<void> {
  if (portions.length === 0) return;
  await readPortionsLeft(tx, [...new Set(portions.map(({ item_id: id }) => id))], { lock: true });
  await sql`
    update items set portions_left = portions_left + back.quantity from (
      select item_id, sum(quantity)::int as quantity
      from jsonb_to_recordset(${JSON.stringify(portions)}::jsonb) as x(item_id uuid, quantity int) group by item_id
    ) back where items.id = back.item_id and portions_left is not null`.execute(tx);
}

const isUnshown = sql<boolean>`portions_left is distinct from portions_shown`;

/**
 * Gives the store's menu a new version after orders have counted down its dishes. An order does not do this itself,
 * because each order would make every cached menu stale.
 */
export function portionsPublishingWork(
  services: Pick<MenuServices, 'db' | 'log' | 'menus' | 'outbox'>,
): DueWork<string[]> {
  return {
    name: 'portions',
    due: () =>
      sql<string[]>`array(select distinct store_id::text from items where ${isUnshown} and deleted_at is null)`,
    async work(storeIds) {
      for (const storeId of storeIds)
        await changeWithEffects(services, (db, afterCommit) =>
          changeStore(services, { db, afterCommit }, storeId, 'menu', (tx) =>
            sql`
              with own as (
                select id from items where store_id = ${storeId} and ${isUnshown} order by id for no key update)
              update items set portions_shown = portions_left from own where items.id = own.id`.execute(tx),
          ),
        );
    },
  };
}
