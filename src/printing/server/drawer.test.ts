import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { EncodedJob } from '#printing/server/transport.ts';
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
  fakes.jobs.length = 0;
  fakes.answer = () => ({ kind: 'printed' });
  await addPrinter(app, { name: 'Kitchen', receipts: ['kitchen'] }, admin);
  await addPrinter(app, { name: 'Counter', receipts: [], opens_drawer: true }, admin);
  await addPrinter(app, { name: 'Second till', receipts: [], opens_drawer: true }, admin);
});

const soon = { timeout: 60_000, interval: 20 };
const call = (id: string, step: string) => app.request('POST', `/v1/orders/${id}/${step}`, { body: {}, token: admin });
const drawers = () => fakes.jobs.filter(({ opensDrawer }) => opensDrawer);
const shown = (jobs: EncodedJob[]) => jobs.map(({ printer, source, purpose }) => [printer.name, source, purpose]);

async function packed(): Promise<string> {
  const { body } = await app.request('POST', '/v1/orders', { body: app.orderBody() });
  const { id } = body.data;
  await call(id, 'accept');
  await call(id, 'packed');
  await vi.waitUntil(() => fakes.jobs.some(({ orderId }) => orderId === id), soon);
  return id;
}

test('the drawer of one printer opens when cash is recorded: once, without paper, and not for the receipts', async () => {
  const id = await packed();
  expect(drawers()).toEqual([]);
  // Two tills, each twice.
  await Promise.all([1, 2, 3, 4].map(() => call(id, 'collected-by-customer')));
  await vi.waitUntil(() => drawers().length > 0, soon);
  const other = await packed();
  await call(other, 'collected-by-customer');
  await vi.waitUntil(() => drawers().some(({ orderId }) => orderId === other), soon);
  expect(shown(drawers())).toEqual([
    ['Counter', null, 'drawer'],
    ['Counter', null, 'drawer'],
  ]);
});

test('undone and recorded again, it does not open a second time', async () => {
  const id = await packed();
  await call(id, 'collected-by-customer');
  await vi.waitUntil(() => drawers().length === 1, soon);
  expect((await call(id, 'undo')).status).toBe(200);
  await call(id, 'collected-by-customer');
  const other = await packed();
  await call(other, 'collected-by-customer');
  await vi.waitUntil(() => drawers().some(({ orderId }) => orderId === other), soon);
  expect(drawers().filter(({ orderId }) => orderId === id)).toHaveLength(1);
});

test('a pulse that may have arrived is not sent again, and nobody opens a drawer half a minute later', async () => {
  fakes.answer = ({ purpose }) => (purpose === 'drawer' ? { kind: 'unknown', fault: 'offline' } : { kind: 'printed' });
  const id = await packed();
  await call(id, 'collected-by-customer');
  await vi.waitUntil(() => drawers().length === 1, soon);
  const rows = () => app.database.db.selectFrom('prints').selectAll().where('purpose', '=', 'drawer').execute();
  await vi.waitUntil(async () => (await rows())[0]?.ended_at !== null, soon);
  const [row] = await rows();
  expect(row).toMatchObject({ status: 'unknown', attempts: 1 });
  expect((row?.expires_at?.getTime() ?? 0) - (row?.due_at.getTime() ?? 0)).toBe(30_000);
});
