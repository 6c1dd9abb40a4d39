import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { DeviceJob } from '#printing/contract.ts';
import type { Printer } from '#printing/printer.ts';
import { commandsOfEpos } from '#simulators/printers/decode/decode-xml.ts';
import { addPrinter } from '#testing/fake-printers.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let admin: string;
let printer: Printer;
/** Two tablets of one shop, each with its own sign-in. */
let first: string;
let second: string;
beforeAll(async () => {
  app = await startTestApp();
  admin = await app.signIn('admin');
  first = await app.signIn('store_admin', [app.shop.storeId]);
  second = await app.signIn('store_admin', [app.shop.storeId]);
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.database.db.deleteFrom('prints').execute();
  await app.database.db.deleteFrom('printers').execute();
  printer = await addPrinter(app, { kind: 'browser', address: '192.168.1.50', receipts: ['kitchen'] }, admin);
});

const soon = { timeout: 60_000, interval: 20 };
const wait = (seconds: number) => void (app.clock.now = new Date(app.clock.now.getTime() + seconds * 1000));
const claim = (token: string, body: object = {}) => app.request('POST', '/v1/prints/claim', { body, token });
const result = (token: string, { id, lease_id }: DeviceJob, said: object) =>
  app.request('POST', `/v1/prints/${id}/result`, { body: { lease_id, ...said }, token });
const printOf = async ({ id }: { id: string }) =>
  (await app.request('GET', `/v1/prints/${id}`, { token: admin })).body.data;
/** The instance hears of a job a moment after its commit. */
async function claimed(token: string, body: object = {}): Promise<DeviceJob> {
  const answer = await vi.waitUntil(async () => {
    const said = await claim(token, body);
    return said.status === 200 && said;
  }, soon);
  return answer.body.data;
}
async function accept(): Promise<void> {
  const { body } = await app.request('POST', '/v1/orders', { body: app.orderBody() });
  await app.request('POST', `/v1/orders/${body.data.id}/accept`, { body: {}, token: admin });
}

test('a job is leased to one device for 20 s with all that its printer is to be sent, and ends by its word', async () => {
  await accept();
  const job = await claimed(first);
  expect(job).toMatchObject({ printer: { id: printer.id, address: '192.168.1.50:80' }, copy: 'kitchen' });
  expect(new Date(job.lease_until).getTime() - app.clock.now.getTime()).toBe(20_000);
  const document = Buffer.from(job.content, 'base64').toString();
  expect([job.media_type, commandsOfEpos(document).toString('latin1')]).toEqual([
    expect.stringContaining('xml'),
    expect.stringContaining('Margherita'),
  ]);
  expect((await claim(second)).status).toBe(204);
  expect((await result(first, job, { status: 'sent' })).body.data.status).toBe('sent');
  expect((await result(first, job, { status: 'printed' })).body.data.status).toBe('printed');
  expect((await claim(second)).status).toBe(204);
});

test('of ten devices that ask at once one gets it', async () => {
  await accept();
  const devices = Array.from({ length: 10 }, () => crypto.randomUUID());
  const jobs: number[] = [];
  await vi.waitUntil(async () => {
    const answers = await Promise.all(devices.map((device) => claim(first, { device })));
    jobs.push(...answers.map(({ status }) => status).filter((status) => status === 200));
    return jobs.length > 0;
  }, soon);
  expect(jobs).toEqual([200]);
});

test('a lease that lapsed before it was sent goes to the next device, and the first may not print any more', async () => {
  await accept();
  const lost = await claimed(first);
  wait(21);
  const job = await claimed(second);
  expect(job.id).toBe(lost.id);
  const { status, body } = await result(first, lost, { status: 'sent' });
  expect([status, body.code]).toEqual([409, 'conflict']);
  await result(second, job, { status: 'sent' });
  await result(second, job, { status: 'printed' });
  expect(await printOf(job)).toMatchObject({ status: 'printed', unsure: 0, attempts: 2 });
});

test('a device that dies after it reported sent leaves it unknown, and the next paper is marked', async () => {
  await accept();
  const lost = await claimed(first);
  await result(first, lost, { status: 'sent' });
  wait(61);
  expect((await claim(second)).status).toBe(204);
  await vi.waitUntil(async () => (await printOf(lost)).status === 'unknown', soon);
  wait(10);
  const job = await claimed(second);
  expect(commandsOfEpos(Buffer.from(job.content, 'base64').toString()).toString('latin1')).toContain(
    'POSSIBLE DUPLICATE',
  );
});

test('nobody else ends it: not another device, not another window of the same sign-in, not an older lease', async () => {
  await accept();
  const device = crypto.randomUUID();
  const job = await claimed(first, { device });
  expect((await result(second, job, { status: 'printed', device })).status).toBe(409);
  expect((await result(first, job, { status: 'printed' })).status).toBe(409);
  expect((await result(first, { ...job, lease_id: crypto.randomUUID() }, { status: 'printed', device })).status).toBe(
    409,
  );
  expect((await result(first, job, { status: 'printed', device })).status).toBe(200);
});

test('a device is given jobs of its own stores and of the printers that it reaches', async () => {
  await accept();
  const stranger = await app.signIn('store_admin', [crypto.randomUUID()]);
  await claimed(first).then((job) => result(first, job, { status: 'failed', fault: 'busy' }));
  wait(10);
  expect((await claim(stranger)).status).toBe(204);
  expect((await claim(stranger, { store_id: app.shop.storeId })).status).toBe(403);
  expect((await claim(first, { printer_ids: [crypto.randomUUID()] })).status).toBe(204);
  expect((await claimed(first, { printer_ids: [printer.id] })).printer.id).toBe(printer.id);
});
