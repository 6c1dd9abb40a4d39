import { afterAll, beforeAll, expect, test } from 'vitest';
import { printQueue } from '#printing/server/print-ledger.ts';
import type { PrintStatus } from '#ordering/print.ts';
import { fakePrinter } from '#testing/fake-printer.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

const printer = fakePrinter();
let app: TestApp;
let admin: string;
beforeAll(async () => {
  app = await startTestApp({}, {}, undefined, { printers: printer.printers });
  admin = await app.signIn('admin');
});
afterAll(() => app.close());

interface Copy {
  id: string;
  copy: string;
  status: PrintStatus;
  error: string | null;
  due_at: string;
  text: string;
}

const readCopies = async (orderId: string): Promise<Copy[]> =>
  (await app.request('GET', `/v1/orders/${orderId}/prints`, { token: admin })).body.data;

async function printedOrder(): Promise<{ orderId: string; kitchen: string }> {
  const { id } = (await app.request('POST', '/v1/orders', { body: app.orderBody() })).body.data;
  await app.request('POST', `/v1/orders/${id}/accept`, { body: {}, token: admin });
  await expect
    .poll(async () => (await readCopies(id)).map(({ status }) => status), { timeout: 10_000 })
    .toEqual(['printed', 'printed']);
  const kitchen = (await readCopies(id)).find(({ copy }) => copy === 'kitchen');
  return { orderId: id, kitchen: kitchen?.id ?? '' };
}

/** Its printing is owed once more, from where it was left. */
async function printAgain(id: string, status: PrintStatus): Promise<void> {
  await app.database.db.transaction().execute(async (tx) => {
    await tx.updateTable('prints').set({ status, printed_at: null }).where('id', '=', id).execute();
    await app.services.jobs.send(tx, printQueue, { print_id: id });
  });
}

test.each(['unknown', 'sent'] as const)(
  'a copy whose printing was left as %s is marked as a possible duplicate when it comes out again',
  async (status) => {
    const { orderId, kitchen } = await printedOrder();
    const text = async () => (await readCopies(orderId)).find(({ id }) => id === kitchen)?.text ?? '';
    expect(await text()).not.toContain('POSSIBLE DUPLICATE');
    await printAgain(kitchen, status);
    await expect
      .poll(async () => (await readCopies(orderId)).find(({ id }) => id === kitchen)?.status, { timeout: 10_000 })
      .toBe('printed');
    expect(await text()).toContain('POSSIBLE DUPLICATE');
  },
);

test('a copy that surely never came out is not marked', async () => {
  const { orderId, kitchen } = await printedOrder();
  await printAgain(kitchen, 'claimed');
  await expect
    .poll(async () => (await readCopies(orderId)).find(({ id }) => id === kitchen)?.status, { timeout: 10_000 })
    .toBe('printed');
  expect((await readCopies(orderId)).find(({ id }) => id === kitchen)?.text).not.toContain('POSSIBLE DUPLICATE');
});

test('what is printed is what the printer was sent, once for each copy', async () => {
  const before = printer.papers.length;
  const { orderId } = await printedOrder();
  const { number } = (await app.request('GET', `/v1/orders/${orderId}`, { token: admin })).body.data;
  const sent = printer.papers.slice(before);
  expect(sent).toHaveLength(2);
  for (const paper of sent) expect(paper).toContain(`#${number}`);
});

test('a printer that does not answer leaves it open whether the paper came out', async () => {
  const { orderId, kitchen } = await printedOrder();
  printer.isBroken = true;
  await printAgain(kitchen, 'queued');
  const copy = async () => (await readCopies(orderId)).find(({ id }) => id === kitchen);
  await expect
    .poll(copy, { timeout: 10_000 })
    .toMatchObject({ status: 'unknown', error: 'The printer does not answer.' });
  printer.isBroken = false;
  await printAgain(kitchen, 'unknown');
  await expect.poll(copy, { timeout: 10_000 }).toMatchObject({ status: 'printed', error: null });
});

test('the job of a time that was put off prints nothing', async () => {
  const { orderId, kitchen } = await printedOrder();
  const copies = await readCopies(orderId);
  const customer = copies.find(({ copy }) => copy === 'customer')?.id ?? '';
  const before = printer.papers.length;
  await app.database.db.transaction().execute(async (tx) => {
    await tx.updateTable('prints').set({ status: 'queued' }).where('id', 'in', [kitchen, customer]).execute();
    await app.services.jobs.send(tx, printQueue, { print_id: kitchen, due_at: '2026-11-21T17:00:00.000Z' });
    const due = copies.find(({ id }) => id === customer)?.due_at;
    await app.services.jobs.send(tx, printQueue, { print_id: customer, due_at: due });
  });
  // Jobs are done one after another: the first was done when the second is.
  const statusOf = async (id: string) => (await readCopies(orderId)).find((copy) => copy.id === id)?.status;
  await expect.poll(() => statusOf(customer), { timeout: 10_000 }).toBe('printed');
  expect(await statusOf(kitchen)).toBe('queued');
  expect(printer.papers).toHaveLength(before + 1);
});

test('a kitchen copy of an order that was called off does not come out', async () => {
  const { orderId, kitchen } = await printedOrder();
  await app.request('POST', `/v1/orders/${orderId}/cancel`, { body: { reason: 'Nobody came' }, token: admin });
  const before = printer.papers.length;
  await printAgain(kitchen, 'queued');
  await expect
    .poll(async () => (await readCopies(orderId)).find(({ id }) => id === kitchen)?.status, { timeout: 10_000 })
    .toBe('expired');
  expect(printer.papers).toHaveLength(before);
});
