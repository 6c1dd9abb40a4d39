import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { insertEvents } from '#payment/server/events/event-rows.ts';
import { extendChains, verifyChains } from '#payment/server/journal/chains.ts';
import { openCardBench, type CardBench } from '#payment/testing/card-bench.ts';

let bench: CardBench;
beforeAll(async () => {
  bench = await openCardBench();
});
beforeEach(async () => {
  await bench.reset();
  await bench.db.deleteFrom('payment_events').execute();
  await bench.db.deleteFrom('payment_movements').execute();
});
afterAll(() => bench.close());

const nothing = { object: null, reference: null, paymentId: null, account: null, mode: null };
const addEvents = (count: number) =>
  insertEvents(
    bench.db,
    Array.from({ length: count }, (_, index) => ({
      provider: 'sandbox' as const,
      keySet: null,
      event: {
        id: `evt_${String(index).padStart(5, '0')}_${randomUUID()}`,
        type: 'payment',
        amount: 1250,
        currency: 'GBP',
        at: new Date('2026-11-21T17:59:59.123Z'),
        ...nothing,
      },
      receivedAt: bench.clock.now,
    })),
  );
const addMovements = async () => {
  const { id } = await bench.placed();
  await bench.move(id, 'accept');
  await bench.jobs.run();
};
const verify = () => verifyChains(bench.db, bench.clock.now);
const faultsOf = async (name: 'events' | 'movements') => (await verify()).find((one) => one.name === name)?.faults;

describe('the journals', () => {
  test('are whole after any number of workers chained what was committed, each entry once', async () => {
    await addEvents(1_200);
    await addMovements();
    const counts = await Promise.all(Array.from({ length: 4 }, () => extendChains(bench.db)));
    expect(counts.reduce((sum, count) => sum + count)).toBe(1_202);
    expect(await verify()).toEqual([
      { name: 'events', entries: 1_200, head: expect.stringMatching(/^[0-9a-f]{64}$/), faults: [] },
      { name: 'movements', entries: 2, head: expect.stringMatching(/^[0-9a-f]{64}$/), faults: [] },
    ]);
    expect(await extendChains(bench.db)).toBe(0);
  });

  test('go on where they ended', async () => {
    await addEvents(2);
    await extendChains(bench.db);
    const [before] = await verify();
    await addEvents(3);
    await extendChains(bench.db);
    const [after] = await verify();
    expect(after).toMatchObject({ entries: 5, faults: [] });
    expect(after?.head).not.toBe(before?.head);
  });

  test('the hash of the first entry is the SHA-256 of its fields as JSON', async () => {
    const received = '2026-11-21T18:00:00.000Z';
    await bench.db
      .insertInto('payment_events')
      .values({ provider: 'sandbox', id: 'evt_1', type: 'payment', amount: 5, received_at: received } as never)
      .execute();
    await extendChains(bench.db);
    // Computed with `printf %s '["sandbox","evt_1",null,"payment",…]' | sha256sum`.
    expect((await verify())[0]?.head).toBe('e2b86694d240fa8830ef4013b22e94054372d76c13e31e3dd1ccc2b9a3ac8f1f');
  });

  test.each([
    ['an amount', sql`update payment_events set amount = 1 where position = 2`, 'changed', 2],
    ['a time', sql`update payment_events set at = at + interval '1 millisecond' where position = 2`, 'changed', 2],
    ['a place', sql`update payment_events set position = 9 where position = 4`, 'missing', 9],
    ['a row that is gone', sql`delete from payment_events where position = 3`, 'missing', 4],
    ['a hash', sql`update payment_events set hash = sha256('x') where position = 4`, 'changed', 4],
  ])('name what was changed afterwards: %s', async (_name, tamper, kind, position) => {
    await addEvents(4);
    await extendChains(bench.db);
    await tamper.execute(bench.db);
    expect(await faultsOf('events')).toEqual([{ kind, position, entry: expect.stringMatching(/^sandbox evt_/) }]);
  });

  test('name a row that was put between two others', async () => {
    await addEvents(3);
    await extendChains(bench.db);
    await sql`update payment_events set position = position + 1000 where position >= 2`.execute(bench.db);
    await sql`update payment_events set position = position - 999 where position >= 1000`.execute(bench.db);
    await sql`
      insert into payment_events (provider, id, received_at, position, hash)
      values ('sandbox', 'evt_false', ${bench.clock.now}, 2, sha256('x'))`.execute(bench.db);
    expect((await faultsOf('events'))?.map(({ position }) => position)).toEqual([2, 3]);
  });

  test('name a movement that was changed', async () => {
    await addMovements();
    await extendChains(bench.db);
    await sql`update payment_movements set amount = 1 where position = 2`.execute(bench.db);
    expect(await faultsOf('movements')).toMatchObject([{ kind: 'changed', position: 2 }]);
  });

  test('what became of a message afterwards is no change of it', async () => {
    await addEvents(1);
    await extendChains(bench.db);
    await bench.payments.handleEvents();
    expect(await faultsOf('events')).toEqual([]);
  });

  test('an entry without a place is a fault after ten minutes', async () => {
    await addEvents(1);
    expect(await faultsOf('events')).toEqual([]);
    bench.wait(601);
    expect(await faultsOf('events')).toMatchObject([{ kind: 'unchained', position: null }]);
  });
});
