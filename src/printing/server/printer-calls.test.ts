import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { addPrinter, type FakePrinters, fakePrinters } from '#testing/fake-printers.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let admin: string;
let fakes: FakePrinters;
beforeAll(async () => {
  fakes = fakePrinters();
  app = await startTestApp({}, {}, undefined, { transports: fakes.transports });
  admin = await app.signIn('admin');
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.database.db.deleteFrom('prints').execute();
  await app.database.db.deleteFrom('printers').execute();
});

const send = (method: string, path: string, body: unknown = {}, token = admin) =>
  app.request(method, path, { body, token });
const get = async (path: string) => (await app.request('GET', path, { token: admin })).body;
const printer = async (id: string) => (await get('/v1/printers')).data.find((each: { id: string }) => each.id === id);

test('a removed printer comes back with its settings, its secret and those whose backup it was', async () => {
  const backup = await addPrinter(app, { name: 'Bar' });
  const kitchen = await addPrinter(app, {
    backup_printer_id: backup.id,
    kind: 'star_cloudprnt',
    profile: 'star-mc-print',
  });
  const counter = await addPrinter(app, { name: 'Counter', backup_printer_id: kitchen.id });
  const stored = () =>
    app.database.db.selectFrom('printers').select('secret_hash').where('id', '=', kitchen.id).executeTakeFirst();
  const before = await stored();
  expect((await send('DELETE', `/v1/printers/${kitchen.id}`)).status).toBe(204);
  expect((await printer(counter.id)).backup_printer_id).toBe(backup.id);
  const restored = await send('POST', `/v1/printers/${kitchen.id}/restore`, { backup_of: [counter.id] });
  expect([restored.status, restored.body.data]).toEqual([200, { ...kitchen, secret: undefined }]);
  expect((await printer(counter.id)).backup_printer_id).toBe(kitchen.id);
  expect(await stored()).toEqual(before);
  expect((await send('POST', `/v1/printers/${kitchen.id}/restore`)).status).toBe(409);
});

test('a removed printer comes back without a backup that has gone too, and not beside one of its name', async () => {
  const backup = await addPrinter(app, { name: 'Bar' });
  const kitchen = await addPrinter(app, { backup_printer_id: backup.id });
  await send('DELETE', `/v1/printers/${kitchen.id}`);
  await send('DELETE', `/v1/printers/${backup.id}`);
  const again = await addPrinter(app);
  const refused = await send('POST', `/v1/printers/${kitchen.id}/restore`);
  expect([refused.status, refused.body.errors]).toEqual([422, { name: ['Another printer has this name.'] }]);
  await send('PATCH', `/v1/printers/${again.id}`, { name: 'Other' });
  expect((await send('POST', `/v1/printers/${kitchen.id}/restore`)).body.data.backup_printer_id).toBeNull();
});

test('a board reports on a printer that it prints on, and on no other', async () => {
  const one = await addPrinter(app, { kind: 'browser', address: '192.168.1.50' });
  const staff = await app.signIn('store_admin', [app.shop.storeId]);
  const report = (body: unknown, id = one.id) => send('POST', `/v1/printers/${id}/report`, body, staff);
  const status = async () => (await printer(one.id)).status;
  expect((await report({ fault: null, paper: 'low', cover: 'closed' })).status).toBe(204);
  await expect
    .poll(status)
    .toMatchObject({ state: 'ready', paper: 'low', words: expect.stringContaining('nearly out') });
  await report({ fault: 'refused_by_browser', detail: 'denied' });
  await expect.poll(status).toMatchObject({ state: 'offline', fault: 'refused_by_browser' });
  await report({ fault: 'paper_out', paper: 'out' });
  await expect.poll(status).toMatchObject({ state: 'fault', fault: 'paper_out', paper: 'out' });
  await report({ fault: null, paper: 'ok' });
  await expect.poll(status).toMatchObject({ state: 'ready', fault: null, paper: 'ok' });
  const network = await addPrinter(app, { name: 'Network' });
  expect((await report({ fault: null }, network.id)).status).toBe(409);
});

test('the ledger is listed newest first, of one printer or of all, with the numbers of orders', async () => {
  const kitchen = await addPrinter(app, { receipts: ['kitchen'] });
  const counter = await addPrinter(app, { name: 'Counter', receipts: ['customer'] });
  const order = (await send('POST', '/v1/orders', app.orderBody())).body.data;
  await send('POST', `/v1/orders/${order.id}/accept`);
  await send('POST', `/v1/printers/${counter.id}/test`);
  const kept = await get(`/v1/prints?store_id=${app.shop.storeId}&per_page=2`);
  expect(kept.meta).toMatchObject({ total: 3, last_page: 2 });
  expect(kept.data[0]).toMatchObject({ purpose: 'test', printer: 'Counter', order_number: null });
  const own = await get(`/v1/prints?printer_id=${kitchen.id}`);
  expect(own.data).toEqual([
    expect.objectContaining({ copy: 'kitchen', order_id: order.id, order_number: order.number, printer: 'Kitchen' }),
  ]);
});
