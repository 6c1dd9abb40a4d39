import { type LanPrinter, startLanPrinter } from '#simulators/printers/lan-printer.ts';
import type { Shop } from '#testing/running-shop.ts';
import { openBoard, tap } from './board.ts';
import { sendOrder } from './orders.ts';
import { expect, test } from './shop.ts';

// A busy machine is slow.

let device: LanPrinter;
test.beforeEach(async () => {
  device = await startLanPrinter('epos');
});
test.afterEach(() => device.close());

/** A shop whose only printer is one that boards print on. */
async function addLanPrinter(shop: Shop): Promise<void> {
  const { body } = await shop.api('GET', '/v1/printers', undefined, shop.adminToken);
  for (const { id } of body['data'] as { id: string }[]) {
    await shop.api('DELETE', `/v1/printers/${id}`, undefined, shop.adminToken);
  }
  const kind = { kind: 'browser', profile: 'epson-tm-m30', width_mm: 80 };
  const printer = { store_id: shop.storeId, name: 'Pass', address: device.address, ...kind };
  expect((await shop.api('POST', '/v1/printers', printer, shop.adminToken)).status).toBe(201);
}

test('two boards print each ticket once, and the board says when its printer has no paper', async ({
  shop,
  window,
}) => {
  await addLanPrinter(shop);
  const first = await openBoard(shop, await window(), { path: '/kitchen' });
  const second = await openBoard(shop, await window());
  const orders = [await sendOrder(shop), await sendOrder(shop), await sendOrder(shop)];
  for (const order of orders) await tap(first, order, /^Accept/);
  await expect.poll(() => device.papers.length).toBe(3);
  for (const { number } of orders) {
    expect(device.papers.filter(({ text }) => text.includes(`#${number}`))).toHaveLength(1);
  }
  device.runOutOfPaper();
  await expect(first.getByText('Pass: The printer is out of paper.')).toBeVisible();
  await expect(second.locator('[data-alarm="ringing"]')).toBeVisible();
  device.refill();
  await expect(first.getByText('Pass: The printer is out of paper.')).toHaveCount(0);
});
