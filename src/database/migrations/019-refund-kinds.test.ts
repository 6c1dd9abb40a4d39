import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as refundKinds from '#database/migrations/019-refund-kinds.ts';
import { forgetRequests } from '#payment/testing/refunds.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let orderId: string;
beforeAll(async () => {
  app = await startTestApp();
  const { db } = app.database;
  orderId = (await app.request('POST', '/v1/orders', { body: app.orderBody() })).body.data.id;
  await forgetRequests(db);
  await sql`alter table refunds drop column kind`.execute(db);
  for (const { reason, actor } of written) {
    await sql`insert into refunds (id, store_id, order_id, key, status, amount, currency, reason, actor, trading_day, created_at)
      values (${randomUUIDv7()}, ${app.shop.storeId}, ${orderId}, ${randomUUID()}, 'succeeded', 100, 'GBP', ${reason},
        ${actor}, '2026-11-21', '2026-11-21T18:00Z')`.execute(db);
  }
  // A migration does not use today's column types.
  await refundKinds.up(db as unknown as Kysely<unknown>);
});
afterAll(() => app.close());

/** As the application wrote them until then, and the kinds they become. */
const written = [
  {
    reason: 'Given back at the payment provider',
    english: 'Refunded at the payment provider',
    actor: 'system',
    kind: 'at_provider',
    polish: 'Zwrócono u operatora płatności',
  },
  {
    reason: 'The order was ended after it was paid',
    actor: 'system',
    kind: 'order_ended',
    polish: 'Zamówienie zakończono po zapłacie',
  },
  {
    reason: 'The order was ended after it was paid',
    actor: 'Olive',
    kind: 'asked',
    polish: 'The order was ended after it was paid',
  },
  { reason: 'Zimne frytki', actor: 'Olive', kind: 'asked', polish: 'Zimne frytki' },
];

test('what the application wrote is a kind, and what people wrote stays their words', async () => {
  const token = await app.signIn('admin');
  const read = async (language: string): Promise<{ kind: string; reason: string }[]> => {
    const headers = { 'accept-language': language };
    const { status, body } = await app.request('GET', `/v1/orders/${orderId}/payments`, { token, headers });
    expect(status, JSON.stringify(body)).toBe(200);
    return body.data.refunds.map(({ kind, reason }: { kind: string; reason: string }) => ({ kind, reason }));
  };
  expect(await read('en')).toEqual(
    expect.arrayContaining(written.map(({ kind, reason, english }) => ({ kind, reason: english ?? reason }))),
  );
  expect(await read('pl')).toEqual(
    expect.arrayContaining(written.map(({ kind, polish }) => ({ kind, reason: polish }))),
  );
});
