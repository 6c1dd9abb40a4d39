import { randomUUIDv7 } from 'node:crypto';
import type { Db } from '#database/schema.ts';

/** A complaint that nobody has answered; returns its id. */
export async function insertComplaint(db: Db, now: Date): Promise<string> {
  const id = randomUUIDv7();
  const sent = { about: 'data', name: 'Ada', email: 'ada@example.com', locale: 'en', message: 'My address' } as const;
  await db
    .insertInto('complaints')
    .values({ id, reference: `C-${id}`, key: id, created_at: now, ...sent })
    .execute();
  return id;
}
