import type { Db } from '#database/schema.ts';
import { Id } from '#platform/http/shapes.ts';

/** Whether there is such an order. An id tells nothing more, and who may see what is decided when it is read. */
export async function orderExists(db: Db, id: string): Promise<boolean> {
  if (!Id.safeParse(id).success) return false;
  const row = await db.selectFrom('orders').select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
}
