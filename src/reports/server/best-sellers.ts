import { sql } from 'kysely';
import type { DueWork } from '#database/jobs/due-work.ts';
import type { Tx } from '#database/schema.ts';
import { changeWithEffects } from '#database/transaction.ts';
import type { StoreChangeServices } from '#store/server/change-store.ts';
import { selectStaleBestSellers, setBestSellers, type StoreWithStaleBestSellers } from '#store/server/store-views.ts';

const daysCounted = 30;
/** A new shop has no best sellers, because a few orders say nothing. */
const leastOrders = 30;
const leastPieces = 5;
/** The menu shows fewer dishes than this. Spare dishes replace those that are sold out or no longer on the menu. */
const most = 12;

type Services = StoreChangeServices & Parameters<typeof changeWithEffects>[0];

/** Counts each store's best sellers once a day, when its trading day has ended, from the sums of its takings. */
export function bestSellersWork(services: Services): DueWork<StoreWithStaleBestSellers[]> {
  return {
    name: 'best sellers',
    due: selectStaleBestSellers,
    async work(stores) {
      for (const { id, day } of stores) {
        await changeWithEffects(services, async (tx, afterCommit) =>
          setBestSellers(services, { db: tx, afterCommit }, id, { day, itemIds: await countBestSellers(tx, id, day) }),
        );
      }
    },
  };
}

async function countBestSellers(tx: Tx, storeId: string, lastDay: string): Promise<string[]> {
  const { rows } = await sql<{ item_id: string }>`
    with counted as (
      select orders, "items" from takings
      where store_id = ${storeId} and trading_day > ${lastDay}::date - ${daysCounted}::int and trading_day <= ${lastDay}::date)
    select item_id from counted, jsonb_to_recordset("items") as sold (item_id uuid, quantity bigint)
    where item_id is not null and (select sum(orders) from counted) >= ${leastOrders}
    group by item_id having sum(quantity) >= ${leastPieces}
    order by sum(quantity) desc, item_id limit ${most}`.execute(tx);
  return rows.map((row) => row.item_id);
}
