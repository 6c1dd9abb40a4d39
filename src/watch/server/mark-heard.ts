import { sql } from 'kysely';
import type { Tx } from '#database/schema.ts';
import { ordersAmong } from '#ordering/server/order-views.ts';

/** Records when somebody at a board of the store acknowledged these orders; orders of other stores are ignored. */
export async function markHeard(tx: Tx, storeId: string, orderIds: readonly string[], now: Date): Promise<void> {
  await sql`
    insert into order_watches (order_id, heard_at)
    select id, ${now} from ${ordersAmong(storeId, orderIds)} as orders order by id
    on conflict (order_id) do update set heard_at = excluded.heard_at`.execute(tx);
}
