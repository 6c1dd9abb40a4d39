import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ prep_minutes: 20, slot_minutes: 15 });
  app.clock.now = new Date('2026-11-21T18:05:00Z');
});
afterAll(() => app.close());

const slots = (query: Record<string, string>) =>
  app.request('GET', `/v1/stores/${app.shop.storeId}/slots?${new URLSearchParams(query).toString()}`);

/** It is 18:05 in London; the zones lie 15 and 25 minutes away. */
test.each([
  ['collection takes no way', { fulfilment_type: 'collection' }, '18:30'],
  ['a zone counts with its way', { fulfilment_type: 'delivery', postcode: 'cv21 2aa' }, '18:45'],
  ['a further zone with its own', { fulfilment_type: 'delivery', postcode: 'CV22 5AA' }, '19:00'],
  ['without a postcode the nearest counts', { fulfilment_type: 'delivery' }, '18:45'],
  ['as it does for one that no zone delivers to', { fulfilment_type: 'delivery', postcode: 'AB10 1AB' }, '18:45'],
  ['the slowest dish counts', { fulfilment_type: 'collection', prep_minutes: '40' }, '18:45'],
  ['with the way', { fulfilment_type: 'delivery', postcode: 'CV22 5AA', prep_minutes: '40' }, '19:15'],
  ['one that is faster than the shop does not', { fulfilment_type: 'collection', prep_minutes: '5' }, '18:30'],
])('the first slot: %s', async (_, query, first) => {
  const { body } = await slots(query);
  expect(body.data[0].starts_at).toBe(`2026-11-21T${first}:00.000Z`);
});

test('every slot that is offered to an address is taken from there, and none sooner', async () => {
  const address = { line1: '12 Park Road', line2: '', city: '', postcode: 'CV22 5AA', instructions: '' };
  const { body } = await slots({ fulfilment_type: 'delivery', postcode: 'CV22 5AA' });
  const [first] = body.data;
  expect(first.starts_at).toBe('2026-11-21T19:00:00.000Z');
  const ask = async (requested_for: string) => {
    const basket = app.orderBody({ fulfilment_type: 'delivery', address, requested_for });
    const answer = await app.request('POST', '/v1/orders/quote', { body: basket });
    return answer.body.data.problems.map(({ path }: { path: string }) => path).includes('requested_for');
  };
  expect(await ask(first.starts_at)).toBe(false);
  expect(await ask('2026-11-21T18:45:00.000Z')).toBe(true);
});

test.each([['abc'], ['-1'], ['241']])('preparing that takes %s minutes is refused', async (prep_minutes) => {
  const { status, body } = await slots({ fulfilment_type: 'collection', prep_minutes });
  expect([status, Object.keys(body.errors)]).toEqual([422, ['prep_minutes']]);
});
