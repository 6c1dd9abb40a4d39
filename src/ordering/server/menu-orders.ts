import { sql } from 'kysely';
import type { MenuOrders } from '#menu/server/services.ts';

/** The menu domain's questions about orders. */
export const menuOrders: MenuOrders = {
  async countSold(db, storeId, itemId) {
    const line = JSON.stringify([{ item_id: itemId }]);
    const { rows } = await sql<{ sold: number }>`
      select coalesce(sum((line->>'quantity')::int), 0)::int as sold
      from orders, jsonb_array_elements(orders.lines) as line
      where orders.store_id = ${storeId} and orders.lines @> ${line}::jsonb
        and line->>'item_id' = ${itemId}`.execute(db);
    return rows[0]?.sold ?? 0;
  },
};
