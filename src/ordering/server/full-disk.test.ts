import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refuseOrders, takeOrders } from '#testing/full-disk.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

test('while the disk is full customers are told so, one and all, and the same orders are taken once there is room', async () => {
  const sessions = Array.from({ length: 10 }, () => randomUUID());
  const place = (headers = {}) =>
    Promise.all(
      sessions.map((session) =>
        app.request('POST', '/v1/orders', { body: app.orderBody({ session }), headers: { ...headers } }),
      ),
    );
  await refuseOrders(app.database.pool);
  const refused = await place();
  expect(refused.map(({ status }) => status)).toEqual(sessions.map(() => 503));
  expect(refused[0]?.body).toEqual({
    code: 'unavailable',
    message: expect.stringContaining('cannot take orders right now'),
  });
  expect(refused[0]?.headers.get('retry-after')).toBe('10');
  const [polish] = await place({ 'accept-language': 'pl' });
  expect(polish?.body.message).toContain('nie może teraz przyjąć zamówienia');
  await takeOrders(app.database.pool);
  const taken = await place();
  expect(taken.map(({ status }) => status)).toEqual(sessions.map(() => 201));
  const { rows } = await app.database.pool.query('select count(*)::int as count from orders');
  expect(rows).toEqual([{ count: sessions.length }]);
});
