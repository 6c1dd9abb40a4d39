import { sql } from 'kysely';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Db } from '#database/schema.ts';
import { inSnapshot } from '#database/transaction.ts';
import type { SalesReport } from '#reports/contract.ts';
import { updateTakingsSums } from '#reports/server/sum-days.ts';
import { readSales, readVat } from '#reports/server/read-report.ts';
import { writeOrders, writeRefund } from '#reports/testing/samples.ts';
import * as recount from '#reports/testing/recount.ts';
import { fillMissingDays, sumOrdersByDimension, vatByDay, vatByRate } from '#reports/sales-report.ts';
import { slowDraws } from '#testing/draws.ts';
import { saturdayEvening } from '#testing/small-shop.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let admin: string;
beforeAll(async () => {
  app = await startTestApp();
  admin = await app.signIn('admin');
});
afterAll(() => app.close());

const minute = 60_000;
const call = (method: string, path: string, body?: Record<string, unknown>, token = admin) =>
  app.request(method, path, { token, ...(body && { body }) });
const scope = () => ({
  storeId: app.shop.storeId,
  timezone: 'Europe/London',
  from: '2026-11-20',
  to: '2026-11-25',
  now: app.clock.now,
});
const kept = async () => {
  const { rows } = await sql`
    select trading_day from takings where not exists (
      select from takings_changes c where c.store_id = takings.store_id and c.trading_day = takings.trading_day)`.execute(
    app.database.db,
  );
  return rows.length;
};

/** What reports read, in the shape of the reference: each sum by its own statement over the orders. */
async function both(of = scope()) {
  // From one snapshot: orders that nobody answers end meanwhile.
  return inSnapshot(app.database.db, (tx) => readBoth(tx, of));
}

/** Orders that nobody answers may have ended since the last look. */
async function agree(of = scope()) {
  const { read, counted } = await both(of);
  expect(read).toEqual(counted);
}

async function readBoth(db: Db, of: ReturnType<typeof scope>) {
  const read = await readSales(db, of);
  const days = await recount.readDays(db, of);
  const [cards, owing] = [await recount.readCards(db, of), await recount.readOwing(db, of)];
  const owed = (isFailed: boolean) => {
    const { orders, total } = read.owing.find(({ failed }) => failed === isFailed) ?? { orders: 0, total: 0 };
    return { orders, total };
  };
  return {
    read: {
      days: fillMissingDays(of, { sales: read.days, refunds: read.days }),
      vat: vatByDay(await readVat(db, of)),
      rates: vatByRate(read.vat),
      ...sorted(sumOrdersByDimension(read.parts)),
      items: read.items,
      lost: read.lost,
      late: read.late,
      unpaid: owed(false),
      failed: owed(true),
      cards: read.cards,
      fee_unknown: read.fee_unknown,
      test: read.test,
    },
    counted: {
      days: fillMissingDays(of, days),
      vat: vatByDay(await recount.readVat(db, of)),
      rates: vatByRate(await recount.readVat(db, of)),
      ...sorted(await recount.readParts(db, of)),
      items: await recount.readItems(db, of),
      lost: await recount.readLost(db, of),
      late: await recount.readLate(db, of),
      ...owing,
      ...cards,
      test: await recount.readTest(db, of),
    },
  };
}

/** Parts with the same sums stand in no order. */
function sorted(parts: Pick<SalesReport, 'hours' | 'channels' | 'fulfilment_types' | 'payment_methods'>) {
  return Object.fromEntries(
    Object.entries(parts).map(([name, rows]) => [name, rows.map((row) => JSON.stringify(row)).toSorted()]),
  );
}

async function place(body: Record<string, unknown> = {}) {
  const answer = await call('POST', '/v1/orders', app.orderBody(body));
  return answer.status === 201 ? (answer.body.data.id as string) : null;
}

const calls = [
  'hand over',
  'accept',
  'reject',
  'packed',
  'collected-by-customer',
  'undo',
  'cancel',
  'refund',
  'remove',
] as const;

/** Each of them once, on an order of its own. */
const everyStep = [
  ...Array.from({ length: 5 }, () => ({ do: 'place' as const, lines: 2 })),
  { do: 'keep' as const },
  ...(['hand over', 'hand over', 'cancel', 'reject', 'remove'] as const).map((name, nth) => ({
    do: name,
    nth,
    amount: 0,
  })),
  { do: 'refund' as const, nth: 0, amount: 250 },
  { do: 'undo' as const, nth: 1, amount: 0 },
];

async function act(name: (typeof calls)[number], id: string, amount: number): Promise<number> {
  if (name === 'hand over') {
    await act('accept', id, 0);
    return act('collected-by-customer', id, 0);
  }
  if (name === 'refund') {
    const refund = { amount, reason: 'Cold', key: crypto.randomUUID() };
    return (await call('POST', `/v1/orders/${id}/refunds`, refund)).status;
  }
  if (name === 'remove') {
    const { body } = await call('GET', `/v1/orders/${id}`);
    const [line] = body.data.lines;
    const remove = { lines: [{ line_id: line.id, quantity: 1 }], reason: 'None left' };
    return (await call('POST', `/v1/orders/${id}/lines/remove`, remove)).status;
  }
  const body = name === 'reject' ? { reason: 'too_busy' } : name === 'cancel' ? { reason: 'Rang' } : {};
  return (await call('POST', `/v1/orders/${id}/${name}`, body)).status;
}

test('whatever becomes of orders, what reports read is what a recount finds, kept or not', async () => {
  const made = new Map<string, number>();
  const step = fc.oneof(
    { weight: 2, arbitrary: fc.record({ do: fc.constant('place' as const), lines: fc.integer({ min: 1, max: 3 }) }) },
    {
      weight: 6,
      arbitrary: fc.record({ do: fc.constantFrom(...calls), nth: fc.nat(), amount: fc.integer({ min: 1, max: 400 }) }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), minutes: fc.constantFrom(1, 45, 300) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('keep' as const) }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 20 }), async (steps) => {
      app.clock.now = saturdayEvening;
      const ids: string[] = [];
      for (const one of steps) {
        if (one.do === 'place') {
          const id = await place({
            lines: Array.from({ length: one.lines }, () => ({ item_id: app.shop.chips, quantity: 1, options: [] })),
          });
          if (id) ids.push(id);
        } else if (one.do === 'wait') app.clock.now = new Date(app.clock.now.getTime() + one.minutes * minute);
        else if (one.do === 'keep') await updateTakingsSums(app.database.db);
        else {
          const id = ids[one.nth % Math.max(1, ids.length)];
          if (!id) continue;
          const status = await act(one.do, id, one.amount);
          made.set(`${one.do} ${status < 300}`, (made.get(`${one.do} ${status < 300}`) ?? 0) + 1);
        }
      }
      const changed = await both();
      expect(changed.read).toEqual(changed.counted);
      await updateTakingsSums(app.database.db);
      const summed = await both();
      expect(summed.read).toEqual(summed.counted);
    }),
    { numRuns: slowDraws, examples: [[everyStep]] },
  );
  // The shop's own work may be at it, or an order may have just ended.
  const keptAgain = async () => {
    await updateTakingsSums(app.database.db);
    return kept();
  };
  await expect.poll(keptAgain).toBeGreaterThan(0);
  // It has seen what it is about.
  for (const name of ['hand over', 'undo', 'cancel', 'reject', 'refund'])
    expect(made.get(`${name} true`), name).toBeGreaterThan(0);
}, 300_000);

describe('a day that was summed up', () => {
  test('follows an undo after midnight', async () => {
    app.clock.now = new Date('2026-11-24T22:55:00Z');
    const id = (await place()) ?? '';
    // An hour later the running shop would have rejected it.
    expect(await act('accept', id, 0)).toBe(200);
    app.clock.now = new Date('2026-11-24T23:59:00Z');
    for (const name of ['packed', 'collected-by-customer'] as const) expect(await act(name, id, 0)).toBe(200);
    await updateTakingsSums(app.database.db);
    const before = (await both()).read.days.find(({ date }) => date === '2026-11-24');
    app.clock.now = new Date('2026-11-25T00:00:30Z');
    expect(await act('undo', id, 0)).toBe(200);
    const { read, counted } = await both();
    expect(read).toEqual(counted);
    expect(read.days.find(({ date }) => date === '2026-11-24')?.orders).toBe((before?.orders ?? 0) - 1);
    await updateTakingsSums(app.database.db);
    await agree();
  });

  test('follows refunds that are made at once, by their own day', async () => {
    app.clock.now = new Date('2026-11-23T18:00:00Z');
    const ids = await Promise.all([place(), place(), place()]);
    for (const id of ids) for (const name of ['accept', 'collected-by-customer'] as const) await act(name, id ?? '', 0);
    await updateTakingsSums(app.database.db);
    app.clock.now = new Date('2026-11-25T18:00:00Z');
    const made = await Promise.all([
      ...ids.flatMap((id) => [act('refund', id ?? '', 110), act('refund', id ?? '', 120)]),
      // Two instances sum up meanwhile.
      updateTakingsSums(app.database.db),
      updateTakingsSums(app.database.db),
    ]);
    expect(made.slice(0, 6).filter((status) => status < 300)).toHaveLength(6);
    const { read, counted } = await both();
    expect(read).toEqual(counted);
    expect(read.days.find(({ date }) => date === '2026-11-25')).toMatchObject({ refunds: 6, refunded: 690 });
    await updateTakingsSums(app.database.db);
    await agree();
  });

  test('has test money in a sum of its own, and is counted again once it turns out to be none', async () => {
    const { db } = app.database;
    const { storeId } = app.shop;
    const day = '2026-11-20';
    const at = async () => {
      await agree();
      const { read } = await both();
      return { day: read.days.find(({ date }) => date === day), test: read.test };
    };
    const before = await at();
    const sale = { day, subtotal: 1200, vat: [{ rate: 2000, net: 1000, vat: 200 }], is_test: true };
    const [order = ''] = await writeOrders(db, storeId, [sale, { ...sale, payment_method: 'cash' }]);
    await writeRefund(db, storeId, { order, day: '2026-11-22', amount: 200, vat: [] });
    await updateTakingsSums(db);
    const counted = await at();
    expect(counted.test).toEqual({ orders: before.test.orders + 1, total: before.test.total + 1200 });
    // What was paid in cash after all is money.
    expect(counted.day?.gross).toBe((before.day?.gross ?? 0) + 1200);
    await db.updateTable('payments').set({ is_test: false }).where('order_id', '=', order).execute();
    expect((await at()).test).toEqual(before.test);
    await updateTakingsSums(db);
    const after = await at();
    expect(after.day?.gross).toBe((before.day?.gross ?? 0) + 2400);
  });

  test('keeps its sums when the customer is erased', async () => {
    await updateTakingsSums(app.database.db);
    const before = (await both()).read.days;
    const erased = await sql`
      update orders set customer_id = null, contact = '{"name":"","phone":"","email":""}'
      where store_id = ${app.shop.storeId} and status <> 'placed'`.execute(app.database.db);
    expect(Number(erased.numAffectedRows)).toBeGreaterThan(0);
    const { read, counted } = await both();
    expect(read).toEqual(counted);
    expect(read.days).toEqual(before);
  });

  test('has the hours of the shop’s clock when its time zone is changed', async () => {
    await updateTakingsSums(app.database.db);
    await sql`update stores set timezone = 'Asia/Tokyo' where id = ${app.shop.storeId}`.execute(app.database.db);
    await updateTakingsSums(app.database.db);
    const inTokyo = { ...scope(), timezone: 'Asia/Tokyo' };
    const read = sorted(sumOrdersByDimension((await readSales(app.database.db, inTokyo)).parts));
    expect(read).toEqual(sorted(await recount.readParts(app.database.db, inTokyo)));
  });
});

describe('a month that is over', () => {
  beforeAll(async () => {
    await sql`update stores set timezone = 'Europe/London' where id = ${app.shop.storeId}`.execute(app.database.db);
  });
  const months = async () => {
    const { rows } = await sql<{ month: string }>`select month from takings_months order by month`.execute(
      app.database.db,
    );
    return rows.map(({ month }) => month);
  };
  /** The shop's own work may be at it, and then nobody else is. */
  const untilKept = () =>
    expect
      .poll(async () => {
        await updateTakingsSums(app.database.db);
        const { rows } = await sql`select 1 from takings_changes`.execute(app.database.db);
        return rows.length === 0 ? months() : null;
      })
      .toEqual(['2026-10-01', '2026-11-01']);
  const sell = async (at: string) => {
    app.clock.now = new Date(at);
    const id = (await place()) ?? '';
    expect(await act('hand over', id, 0)).toBe(200);
    return id;
  };
  const ranges = [
    { from: '2026-11-01', to: '2026-11-30' },
    { from: '2026-10-15', to: '2026-12-31' },
    { from: '2026-11-02', to: '2026-12-31' },
    { from: '2026-10-01', to: '2026-11-29' },
  ];
  const agreeEverywhere = async () => {
    for (const range of ranges) await agree({ ...scope(), ...range });
  };

  test('is added up once another has begun, and read where all of it is asked for', async () => {
    await sell('2026-10-30T18:00:00Z');
    const sold = await sell('2026-11-27T18:00:00Z');
    await sell('2026-12-04T18:00:00Z');
    await untilKept();
    await agreeEverywhere();
    // That it is read is seen when it is wrong.
    await sql`update takings_months set items = '[]', parts = '[]' where month = '2026-11-01'`.execute(app.database.db);
    const inside = { ...scope(), from: '2026-11-01', to: '2026-11-30' };
    expect((await both(inside)).read.items).toEqual([]);
    expect((await both({ ...inside, to: '2026-11-29' })).read.items).not.toEqual([]);
    await sql`delete from takings_months`.execute(app.database.db);
    await untilKept();
    expect(await act('refund', sold, 100)).toBe(201);
    await sql`update orders set tip = tip + 7, total = total + 7 where id = ${sold}`.execute(app.database.db);
    await agreeEverywhere();
  });

  test('is added up anew when one of its days is, by whichever release', async () => {
    await untilKept();
    await sql`update takings set gross = gross where trading_day = '2026-11-27'`.execute(app.database.db);
    expect(await months()).toEqual(['2026-10-01']);
    await agreeEverywhere();
    await untilKept();
    await agreeEverywhere();
  });
});

test('several instances that sum up while orders change keep nothing old', async () => {
  let isOver = false;
  const keepers = Array.from({ length: 3 }, async () => {
    while (!isOver) await updateTakingsSums(app.database.db);
  });
  for (let turn = 0; turn < 15; turn += 1) {
    await sql`
      update orders set tip = tip + 1, total = total + 1
      where id in (select id from orders where store_id = ${app.shop.storeId} and payment_status = 'paid' limit 3)`.execute(
      app.database.db,
    );
  }
  isOver = true;
  await Promise.all(keepers);
  await updateTakingsSums(app.database.db);
  const { read, counted } = await both();
  expect(read.days).toEqual(counted.days);
});
