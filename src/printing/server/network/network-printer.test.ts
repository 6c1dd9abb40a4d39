import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createPrinterStateChecks } from '#printing/server/send-prints.ts';
import type { Printer } from '#printing/printer.ts';
import { startEscPosPrinter } from '#simulators/printers/escpos-wire.ts';
import type { TcpPrinter } from '#simulators/printers/tcp-printer.ts';
import { addPrinter } from '#testing/fake-printers.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let admin: string;
let kitchen: TcpPrinter;
let spare: TcpPrinter;
let added: Printer;
beforeAll(async () => {
  app = await startTestApp({}, { PRINTER_SIMULATOR: '1' });
  admin = await app.signIn('admin');
  [kitchen, spare] = [await startEscPosPrinter(), await startEscPosPrinter()];
  const to = (printer: TcpPrinter) => ({ address: `127.0.0.1:${printer.port}` });
  const backup = await addPrinter(app, { name: 'Bar', receipts: [], ...to(spare) }, admin);
  added = await addPrinter(app, { receipts: ['kitchen'], backup_printer_id: backup.id, ...to(kitchen) }, admin);
});
afterAll(async () => {
  await app.close();
  await kitchen.stop();
  await spare.stop();
});

const soon = { timeout: 60_000, interval: 50 };
async function accept(): Promise<string> {
  const { body } = await app.request('POST', '/v1/orders', { body: app.orderBody() });
  await app.request('POST', `/v1/orders/${body.data.id}/accept`, { body: {}, token: admin });
  return body.data.id;
}
const printsOf = async (id: string) =>
  (await app.request('GET', `/v1/orders/${id}/prints`, { token: admin })).body.data;
const stateOf = async () => {
  const { body } = await app.request('GET', '/v1/printers', { token: admin });
  return body.data.find(({ id }: Printer) => id === added.id).status.state;
};

test('an accepted order comes out, and is printed by the printer’s word', async () => {
  const id = await accept();
  await vi.waitUntil(async () => (await printsOf(id))[0].status === 'printed', soon);
  expect(kitchen.papers[0]?.text).toContain('Margherita');
  expect(kitchen.accidents).toEqual([]);
  await vi.waitUntil(async () => (await stateOf()) === 'ready', soon);
});

test('without paper the backup prints, and a look at the printer finds out that it was refilled', async () => {
  kitchen.runOutOfPaper();
  const id = await accept();
  await vi.waitUntil(async () => (await printsOf(id)).at(-1).status === 'printed', soon);
  expect(spare.papers).toHaveLength(1);
  expect(spare.papers[0]?.text).not.toContain('POSSIBLE DUPLICATE');
  expect(await printsOf(id)).toEqual([
    expect.objectContaining({ status: 'failed', fault: 'paper_out' }),
    expect.objectContaining({ status: 'printed', printer: 'Bar' }),
  ]);
  expect(await stateOf()).toBe('fault');
  kitchen.refill();
  await createPrinterStateChecks(app.services, () => false).look();
  await vi.waitUntil(async () => (await stateOf()) === 'ready', soon);
  await accept();
  await vi.waitUntil(() => kitchen.papers.length === 2, soon);
  expect(spare.papers).toHaveLength(1);
});

test('an address in the server’s network without the owner’s consent is not connected to, and says why', async () => {
  const printer = await addPrinter(app, { name: 'Far', receipts: [], address: '192.168.77.77' }, admin);
  const { body } = await app.request('POST', `/v1/printers/${printer.id}/test`, { token: admin });
  const print = async () => (await app.request('GET', `/v1/prints/${body.data.id}`, { token: admin })).body.data;
  await vi.waitUntil(async () => (await print()).status === 'failed', soon);
  expect(await print()).toMatchObject({
    fault: 'address_private',
    fault_detail: null,
    ended_at: expect.any(String),
  });
});

test('paper that ends while nothing is printed is known before the next order, which the backup prints', async () => {
  const [before, own] = [spare.papers.length, kitchen.papers.length];
  await vi.waitUntil(async () => (await stateOf()) === 'ready', soon);
  kitchen.runOutOfPaper();
  app.clock.now = new Date(app.clock.now.getTime() + 60_000);
  await createPrinterStateChecks(app.services, () => false).look();
  await vi.waitUntil(async () => (await stateOf()) === 'fault', soon);
  const id = await accept();
  await vi.waitUntil(async () => (await printsOf(id)).at(-1).status === 'printed', soon);
  expect(await printsOf(id)).toEqual([
    expect.objectContaining({ status: 'failed', fault: 'paper_out', attempts: 0 }),
    expect.objectContaining({ status: 'printed', printer: 'Bar' }),
  ]);
  expect([spare.papers.length, kitchen.papers.length]).toEqual([before + 1, own]);
});
