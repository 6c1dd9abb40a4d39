import { afterAll, beforeAll, expect, test } from 'vitest';
import { printQueue } from '#kitchen/server/print-ledger.ts';
import type { PrintStatus } from '#ordering/order.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let admin: string;
beforeAll(async () => {
  app = await startTestApp();
  admin = await app.signIn('admin');
});
afterAll(() => app.close());

interface Copy {
  id: string;
  copy: string;
  status: PrintStatus;
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
