import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let admin: string;
beforeAll(async () => {
  app = await startTestApp({ service_fee: 50, bag_fee: 10 });
  admin = await app.signIn('admin');
});
afterAll(() => app.close());

const address = { line1: '1 High Street', line2: '', city: 'Rugby', postcode: 'CV21 2AA', instructions: '' };
const placeInPolish = async (): Promise<string> => {
  const body = app.orderBody({ fulfilment_type: 'delivery', address });
  const placed = await app.request('POST', '/v1/orders', { body, headers: { 'accept-language': 'pl' } });
  expect(placed.status, JSON.stringify(placed.body)).toBe(201);
  expect(namesIn(placed)).toEqual(['Dostawa', 'Opłata za obsługę', 'Torba']);
  return placed.body.data.id;
};
const namesIn = ({ body }: Awaited<ReturnType<TestApp['request']>>): string[] =>
  body.data.fees.map(({ name }: { name: string }) => name);
const read = (id: string, language: string) =>
  app.request('GET', `/v1/orders/${id}`, { token: admin, headers: { 'accept-language': language } });
const receiptsOf = async (id: string): Promise<string> =>
  JSON.stringify((await app.request('GET', `/v1/orders/${id}/receipts`, { token: admin })).body.data);

test('fees of an order placed in Polish are in the language of whoever reads them', async () => {
  const id = await placeInPolish();
  expect(namesIn(await read(id, 'pl'))).toEqual(['Dostawa', 'Opłata za obsługę', 'Torba']);
  expect(namesIn(await read(id, 'en'))).toEqual(['Delivery', 'Service fee', 'Bag']);
  const receipts = await receiptsOf(id);
  expect(receipts).toContain('Delivery');
  expect(receipts).not.toContain('Dostawa');
  const { fees } = await app.database.db
    .selectFrom('orders')
    .select('fees')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect(fees.map((fee) => Object.keys(fee).toSorted())).toEqual(fees.map(() => ['amount', 'code', 'vat_rate']));
});

test('so are those that were kept with a name, as orders did before', async () => {
  const id = await placeInPolish();
  const kept = [
    { code: 'delivery', name: 'Dostawa', amount: 250, vat_rate: null },
    { code: 'bag', name: 'Torba', amount: 10, vat_rate: 2000 },
  ];
  await sql`update orders set fees = ${JSON.stringify(kept)} where id = ${id}`.execute(app.database.db);
  expect(namesIn(await read(id, 'en'))).toEqual(['Delivery', 'Bag']);
  const receipts = await receiptsOf(id);
  expect(receipts).toContain('Delivery');
  expect(receipts).not.toContain('Dostawa');
});
