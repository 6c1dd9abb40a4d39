import { expect, test } from 'vitest';
import { DatabaseUnavailable } from '#platform/server/database-unavailable.ts';
import type { Db } from '#database/schema.ts';
import { type UnnumberedOrder, startOrderInsertQueue } from '#ordering/server/insert-orders.ts';

const order = {
  request_hash: Buffer.alloc(1),
  session_hash: Buffer.alloc(1),
  session_sealed: null,
  portions: [] as const,
} as Partial<UnnumberedOrder> as UnnumberedOrder;

/** A database that does not answer until it is told to fail. */
function aDatabase() {
  const asked: PromiseWithResolvers<never>[] = [];
  const executor = {
    transformQuery: (node: unknown) => node,
    compileQuery: (query: unknown) => ({ query, sql: '', parameters: [] }),
    executeQuery: () => {
      const answer = Promise.withResolvers<never>();
      asked.push(answer);
      return answer.promise;
    },
  };
  return { asked, db: { getExecutor: () => executor } as unknown as Db };
}

test('a database that is away is asked once for all who wait, not by each of them in turn', async () => {
  const { db, asked } = aDatabase();
  const queue = startOrderInsertQueue(db);
  const first = [queue.insert(order), queue.insert(order)];
  await expect.poll(() => asked.length).toBe(1);
  const later = [queue.insert(order), queue.insert(order)];
  asked[0]?.reject(new DatabaseUnavailable(new Error('frozen')));
  const ends = await Promise.allSettled([...first, ...later]);
  expect(ends.map((end) => (end.status === 'rejected' ? end.reason : end))).toEqual(
    Array.from({ length: 4 }, () => expect.any(DatabaseUnavailable)),
  );
  expect(asked).toHaveLength(1);
});

test('an order that the database refuses does not take its neighbours along', async () => {
  const { db, asked } = aDatabase();
  const queue = startOrderInsertQueue(db);
  const inserted = [queue.insert(order), queue.insert(order)];
  const ends = Promise.allSettled(inserted);
  await expect.poll(() => asked.length).toBe(1);
  asked[0]?.reject(new Error('refused'));
  await expect.poll(() => asked.length).toBe(3);
  asked[1]?.reject(new Error('refused'));
  asked[2]?.resolve({ rows: [] } as never);
  expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
});
