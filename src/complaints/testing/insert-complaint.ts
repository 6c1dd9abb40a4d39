import { randomUUIDv7 } from 'node:crypto';
import type { Db } from '#database/schema.ts';

/** A complaint that nobody has answered, about an order if one is given; returns its id. */
export async function insertComplaint(
  db: Db,
  now: Date,
  order: { storeId: string; orderId: string } | null = null,
): Promise<string> {
  const id = randomUUIDv7();
  const about = order ? 'order' : 'data';
  const sent = { about, name: 'Ada', email: 'ada@example.com', locale: 'en', message: 'My address' } as const;
  await db
    .insertInto('complaints')
    .values({
      id,
      reference: `C-${id}`,
      key: id,
      created_at: now,
      ...sent,
      order_id: order?.orderId ?? null,
      store_id: order?.storeId ?? null,
    })
    .execute();
  return id;
}
