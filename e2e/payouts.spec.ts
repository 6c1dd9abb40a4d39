import { connect } from '#database/connect.ts';
import { insertKeySet } from '#payment/testing/bank-bench.ts';
import { entry, payout } from '#payment/testing/bank.ts';
import { writeDispute, writePayment, writeStatement } from '#payment/testing/statement.ts';
import { writeOrders } from '#reports/testing/samples.ts';
import type { Shop } from '#testing/running-shop.ts';
import { databaseUrlOf } from '#testing/shop-database.ts';
import { expectAccessible } from './accessible.ts';
import { openOffice, overlapping } from './office.ts';
import { expect, test } from './shop.ts';

// A busy machine is slow; nothing here is measured.
const sizes = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
];
const hour = 3_600_000;

/**
 * Three orders that were paid by card: two are in a payout, the second is disputed in it; a third is on no payout yet.
 */
async function sell(shop: Shop): Promise<void> {
  const { db, close } = connect(await databaseUrlOf(shop.dataDir), () => {}, { max: 2 });
  const now = Date.now();
  await insertKeySet(db, 'set_1', new Date(now));
  const order = { day: '2026-11-21', subtotal: 1250, vat: [] };
  const ids = await writeOrders(db, shop.storeId, [order, order, order]);
  const payments: string[] = [];
  for (const [index, orderId] of ids.entries()) {
    payments.push(await writePayment(db, { orderId, keySet: 'set_1', intent: `pi_${index}`, amount: 1250 }));
  }
  const charge = (index: number) => entry({ id: `txn_${index}`, intent: `pi_${index}` });
  const refund = entry({ id: 'txn_r', kind: 'refund', amount: -300, fee: 0, intent: 'pi_0' });
  const taken = entry({ id: 'txn_d', kind: 'dispute', amount: -1250, fee: 0, intent: 'pi_1', source: 'dp_1' });
  const cameBack = entry({ id: 'txn_b', kind: 'payout_failed', amount: 1250, fee: 0, source: null });
  const failed = { status: 'failed', failure: 'account_closed', arrivesOn: '2026-11-18' } as const;
  await writeStatement(db, 'set_1', {
    entries: [charge(2)],
    payouts: [
      { payout: payout({ id: 'po_1', amount: 2122 }), entries: [charge(0), charge(1), refund, taken, cameBack] },
      { payout: payout({ id: 'po_0', amount: 0, arrivesOn: '2026-11-11' }), entries: [] },
      { payout: payout({ id: 'po_2', amount: 5000, ...failed }), entries: null },
    ],
  });
  await writeDispute(db, {
    id: 'dp_1',
    keySet: 'set_1',
    paymentId: payments[1] ?? '',
    orderId: ids[1] ?? '',
    storeId: shop.storeId,
    respondBy: new Date(now + 50 * hour),
  });
  await close();
}

test('the owner is told what will show, finds the orders in a payout and why another came back, and answers a dispute', async ({
  shop,
  window,
}) => {
  const page = await openOffice(shop, await window(), '/admin/payments?show=payouts');
  /** Calls `look` at each width; dialogs stay open. */
  const atEachSize = async (look: (isNarrow: boolean) => Promise<void>) => {
    for (const size of sizes) {
      await page.setViewportSize(size);
      await look(size.width < 600);
    }
  };
  const lists = page.getByRole('radiogroup', { name: 'Show' });
  const dialog = page.getByRole('dialog');

  await expect(page.getByText('There are no payouts yet.')).toBeVisible();
  await lists.getByText('Disputes', { exact: true }).click();
  await expect(page.getByText('No payment is disputed.')).toBeVisible();
  await atEachSize(async () => {
    for (const name of ['Payments', 'Refunds', 'Payouts', 'Disputes', 'Checks']) {
      // Nothing to choose is beside the screen.
      await expect(lists.getByText(name, { exact: true })).toBeInViewport({ ratio: 1 });
    }
    await expectAccessible(page);
  });

  // An outage says so, and asks again.
  await sell(shop);
  await page.route('**/v1/payouts?*', (route) => route.fulfill({ status: 500, json: {} }));
  await page.goto('/admin/payments?show=payouts');
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  await page.unroute('**/v1/payouts?*');
  await page.getByRole('button', { name: 'Try again' }).click();

  const payouts = page.getByRole('region', { name: 'Payouts', exact: true });
  await atEachSize(async () => {
    await expect(payouts.getByText('25 November 2026')).toBeVisible();
    await expect(payouts.getByText('£21.22')).toBeVisible();
    await expect(payouts.getByText('-£0.00')).toHaveCount(0);
    await expectAccessible(page);
  });
  await payouts.getByText('25 November 2026').click();
  await atEachSize(async () => {
    await expect(dialog.getByText('£25.00')).toBeVisible();
    // Each kind under its own head, those that are rare first.
    await expect(dialog.getByRole('rowheader')).toHaveText([
      '1 line about a dispute',
      '1 refund',
      '1 fee or other line',
      '2 card payments',
    ]);
    await expect(dialog.getByText(/The payer says they did not make this payment.* \(Answer needed\)/)).toBeVisible();
    await expect(dialog.getByRole('row')).toHaveCount(10);
    await expect(dialog.getByRole('link', { name: 'See it at Stripe' })).toHaveAttribute('href', /payouts\/po_1$/);
    await expectAccessible(page);
  });
  await page.keyboard.press('Escape');
  await payouts.getByText('18 November 2026').click();
  await expect(dialog.getByText('Your bank says that this account is closed')).toBeVisible();
  await page.keyboard.press('Escape');

  // A dispute is announced, with the time that is left, and its payment cannot be refunded.
  await lists.getByText('Payments', { exact: true }).click();
  await atEachSize(async () => {
    await expect(page.getByText('A payment is disputed: you have to answer')).toBeVisible();
    await expect(page.getByText('Dispute: Answer needed')).toBeVisible();
    await expectAccessible(page);
  });
  await page.getByRole('button', { name: 'See disputes' }).click();
  const disputes = page.getByRole('region', { name: 'Disputes', exact: true });
  await atEachSize(async (isNarrow) => {
    await expect(disputes.getByText(/^By .*: 2 days left$/)).toBeVisible();
    await expect(disputes.getByRole('link', { name: /^Answer at Stripe/ })).toHaveAttribute('href', /payments\/pi_1$/);
    if (isNarrow) expect(await overlapping(disputes.getByRole('row').filter({ hasText: 'Order 2' }))).toEqual([]);
    // On a phone the deadline has the room of the reason.
    if (!isNarrow) await expect(disputes.getByText('The payer says they did not make this payment')).toBeVisible();
    await expectAccessible(page);
  });
  await disputes.getByRole('button', { name: 'Order 2' }).click();
  await atEachSize(async () => {
    await expect(dialog.getByText('A refund would give it back twice')).toBeVisible();
    await expect(dialog.getByText(/^By .*: 2 days left$/)).toBeVisible();
    await expect(dialog.getByRole('link', { name: 'Answer at Stripe' })).toHaveAttribute('href', /payments\/pi_1$/);
    await expectAccessible(page);
  });
  await page.keyboard.press('Escape');

  // The report says what cards came to after fees.
  await page.evaluate("history.pushState(null, '', '/admin/reports?from=2026-11-21&to=2026-11-21')");
  const table = page.getByRole('region', { name: 'Card payments', exact: true });
  const cells = (name: string) =>
    table
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader', { name, exact: true }) })
      .getByRole('cell');
  await atEachSize(async () => {
    await expect(cells('Charged')).toHaveText('£37.50');
    await expect(cells('Fees')).toHaveText('-£1.17');
    await expect(cells('of that in your bank account')).toHaveText('£8.72');
    await expect(cells('of that still at Stripe')).toHaveText('£12.11');
    await expectAccessible(page);
  });
});
