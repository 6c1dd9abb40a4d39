import type { Page } from '@playwright/test';
import { formatMoney } from '#platform/money.ts';
import type { Shop } from '#testing/running-shop.ts';
import { onDatabaseOf } from '#testing/shop-database.ts';
import { askTakeOff, openBoard, tap, ticket } from './board.ts';
import { fillCard, testWithKey as test } from './card-shop.ts';
import { downloadTable, figure, openOffice } from './office.ts';
import { openGuestOrder, readOrder } from './orders.ts';
import { newAddress, readMail } from './people.ts';
import { expect } from './shop.ts';
import { chooseWay, openCheckout, openPart, orderIdOf, orderPage, payWith, phone } from './storefront.ts';

// A busy machine is slow; nothing here is measured.

const asksAtBank = '4000 0000 0000 3220';
const day = 24 * 60;

/** Pays on Stripe's page by a card whose bank asks, and comes back to the order's page. */
async function payAtStripe(page: Page, origin: string, total: string): Promise<string> {
  await page.getByRole('button', { name: `Pay ${total}` }).click();
  await page.waitForURL(`${origin}/**`);
  await expect(page.getByRole('row', { name: 'Total due' })).toContainText(total);
  await fillCard(page, asksAtBank);
  await expect(page.getByText(`Your bank asks: do you want to pay ${total}?`)).toBeVisible();
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.waitForURL(orderPage);
  return orderIdOf(page);
}

async function fillDelivery(page: Page, email: string): Promise<void> {
  await chooseWay(page, 'Delivery');
  await page.getByLabel('Postcode').fill('CV21 2AA');
  await page.getByRole('textbox', { name: 'Address' }).fill('12 Park Road');
  await openPart(page, 'who');
  await page.getByLabel('Name').fill('Grace Hopper');
  await page.getByLabel('Phone').fill('07700 900456');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('radio', { name: '£2.00' }).check({ force: true });
  await payWith(page, 'Card');
  // This browser has no other wallet of Stripe's page.
  await expect(page.getByRole('radio', { name: 'Card (also Link, if set up)' })).toBeChecked();
}

/** Some columns of a table, one text a row. */
const columns = (rows: readonly Record<string, string>[], names: string): string[] =>
  rows.map((row) =>
    names
      .split(' ')
      .map((name) => row[name])
      .join(' | '),
  );
/** Waits until everything in the journals has its check value, which is written after the commit. */
async function untilChained(shop: Shop): Promise<void> {
  const unchained = (table: string) => `(select count(*) from ${table} where position is null)`;
  await onDatabaseOf(shop.dataDir, (client) =>
    expect
      .poll(async () => {
        const sum = `select ${unchained('payment_events')} + ${unchained('payment_movements')} as count`;
        return (await client.query<{ count: string }>(sum)).rows[0]?.count;
      })
      .toBe('0'),
  );
}
/** A day so many after this one, in the shop's reports. */
const dayIn = (days: number) => new Date(Date.now() + days * day * 60_000).toISOString().slice(0, 10);

test('a card payment is released, and one with 3-D Secure is lowered, refunded and paid out, to the penny', async ({
  shop,
  stripe,
  window,
}) => {
  const email = newAddress();
  const { tables } = stripe.control.books();
  const customer = await window(phone);
  const board = await openBoard(shop, await window());

  // Rejected: the hold is released.
  const rejected = await readOrder(shop, {
    id: await openGuestOrder(shop, customer, email, { payment_method: 'card' }),
  });
  const open = [...tables['checkout.session'].values()].find(({ status }) => status === 'open');
  stripe.control.pay(open?.id ?? '');
  await tap(board, rejected, 'Reject');
  const why = board.getByRole('dialog', { name: `Reject order ${rejected.number}?` });
  await why.getByRole('radio', { name: 'Too busy' }).check();
  await why.getByRole('button', { name: 'Reject', exact: true }).click();
  await expect(customer.getByText('We never took your money. It was only held')).toBeVisible();
  await expect(customer.getByText('Not charged: nothing was taken')).toBeVisible();
  expect(await readMail(shop, email, 'Coalfinch could not take your order')).toContain('We never took your money.');

  // Cheeseburger £8.50, chips £3.75, onion rings £4.25 and slaw £2.95 are £19.45; delivery £1.49 and a tip of £2: £22.94.
  const dishes = ['Classic cheeseburger', 'Skin-on chips', 'Battered onion rings', 'House slaw'];
  await openCheckout(shop, customer, Object.fromEntries(dishes.map((dish) => [dish, 1])));
  await fillDelivery(customer, email);
  const order = await readOrder(shop, { id: await payAtStripe(customer, stripe.origin, '£22.94') });
  await expect(ticket(board, order)).toContainText('£22.94');
  // Also on a narrow ticket the postcode is whole.
  await expect(ticket(board, order).getByText('CV21 2AA')).toBeInViewport({ ratio: 1 });

  await tap(board, order, /^Accept/);
  await expect.poll(async () => (await readOrder(shop, order)).payment_status).toBe('paid');

  // Without the chips, £22.94 - £3.75 = £19.19.
  const dialog = await askTakeOff(board, order);
  await dialog.getByRole('button', { name: 'Take one Chips off' }).click();
  await dialog.getByRole('radio', { name: 'Sold out' }).check();
  await expect(dialog).toContainText('New total: £19.19 instead of £22.94. £3.75 goes back to the card.');
  const takeOff = dialog.getByRole('button', { name: 'Take 1 dish off' });
  await expect(takeOff).toBeInViewport({ ratio: 1 });
  await takeOff.click();
  const gone = customer.getByRole('region', { name: 'Taken off your order' });
  await expect(gone).toContainText('Skin-on chips');
  await expect(gone).toContainText('£3.75 for what was taken off was sent back to your card.');
  expect(await readMail(shop, email, `Your order ${order.number} at Coalfinch has changed`)).toContain('Total: £19.19');
  // Its sums are in view and each dish has its price; ids are Stripe's, and nobody here can read them.
  await tap(board, order, `Details of order ${order.number}`);
  const details = board.getByRole('dialog', { name: `Order ${order.number}` });
  await expect(details.getByText(/^Stripe, /)).toBeVisible();
  await expect(details.getByText(/cs_test_|pi_/)).toHaveCount(0);
  const lines = details.getByRole('listitem');
  await expect(lines.filter({ hasText: 'Classic cheese' })).toContainText('£8.50');
  await expect(lines.filter({ hasText: /slaw/i })).toContainText('£2.95');
  await expect(details.getByText('£19.19', { exact: true }).first()).toBeInViewport({ ratio: 1 });
  await board.keyboard.press('Escape');
  for (const step of ['Packed', 'Driver has it', 'Delivered']) await tap(board, order, step);

  // The onion rings were cold: £4.25 of £19.19 go back, £14.94 stay.
  const office = await openOffice(shop, await window({ acceptDownloads: true }), '/admin/payments');
  await office.getByRole('button', { name: `Order ${order.number}`, exact: true }).click();
  const refund = office.getByRole('dialog');
  await expect(refund.getByText('Paid £22.94, refunded £3.75, so £19.19 can be refunded.')).toBeVisible();
  await expect(refund.getByText('Dish taken off: Sold out (Admin)', { exact: true })).toBeVisible();
  await refund.getByRole('radio', { name: 'Some of the dishes' }).check();
  await refund.getByLabel('How many of Battered onion rings to refund').selectOption('1');
  await refund.getByLabel('Reason').fill('They were cold');
  await refund.getByRole('button', { name: 'Refund £4.25' }).click();
  await expect(refund).toBeHidden();
  await expect(office.getByRole('row', { name: `Order ${order.number}` })).toContainText('Partly refunded');
  expect(await readMail(shop, email, '£4.25 refunded')).toContain('£4.25 of £19.19 has been refunded');

  await expect(customer.getByText('£4.25 of £19.19 has been refunded')).toBeVisible();

  // Four days later the money is paid out, and one day after that it is in the bank account.
  for (const days of [4, 2]) {
    await untilChained(shop);
    await shop.wait(days * day);
    await stripe.control.advance(days * day * 60_000);
  }

  // Stripe's own books: one held and let go; £22.94 charged, £3.75 and £4.25 refunded. The fee is 1.5 % of £22.94, which is
  // 34p, and 20p. £22.94 - £0.54 - £3.75 - £4.25 = £14.40 were paid out.
  const { total } = rejected;
  expect([...tables.payment_intent.values()]).toMatchObject([
    { status: 'canceled', amount: total, amount_received: 0 },
    { status: 'succeeded', amount: 2294, amount_received: 2294 },
  ]);
  expect([...tables.charge.values()]).toMatchObject([
    { amount: total, amount_captured: 0 },
    { amount: 2294, amount_captured: 2294, amount_refunded: 800 },
  ]);
  expect([...tables.refund.values()].map(({ amount, status }) => [amount, status])).toEqual([
    [375, 'succeeded'],
    [425, 'succeeded'],
  ]);
  expect([...tables.payout.values()]).toMatchObject([{ amount: 1440, status: 'paid' }]);

  // The shop's journal of the money.
  await untilChained(shop);
  const moved = await onDatabaseOf(shop.dataDir, (client) =>
    client.query<{ kind: string; amount: number }>('select kind, amount from payment_movements order by position'),
  );
  expect(moved.rows.map(({ kind, amount }) => [kind, amount])).toEqual([
    ['held', total],
    ['released', total],
    ['held', 2294],
    ['captured', 2294],
    ['refunded', 375],
    ['refunded', 425],
  ]);

  // The office: checks, payouts, report.
  await office.getByText('Checks', { exact: true }).click();
  await expect(office.getByRole('alert').filter({ hasText: 'The money is right' })).toBeVisible();
  await office.getByText('Payouts', { exact: true }).click();
  const row = office.getByRole('row').nth(1);
  await expect(row.getByRole('cell').nth(0)).toContainText('Test');
  const sums = ['In your bank account', '1', '£22.94', '-£8.00', '£0.00', '-£0.54', '£0.00', '£14.40'];
  await expect(row.getByRole('cell')).toHaveText([/./, ...sums]);
  await row.getByRole('button').click();
  // Amount, fee and net of the charge and of each refund.
  const entries = office.getByRole('dialog').getByRole('row');
  const [removed, cold] = [/Refund.*Dish taken off: Sold out$/, /Refund.*They were cold$/];
  await expect(entries.nth(1)).toHaveText('2 refunds');
  await expect(entries.nth(2).getByRole('cell')).toHaveText([removed, '-£3.75', '£0.00', '-£3.75']);
  await expect(entries.nth(3).getByRole('cell')).toHaveText([cold, '-£4.25', '£0.00', '-£4.25']);
  await expect(entries.nth(4)).toHaveText('1 card payment');
  await expect(entries.nth(5).getByRole('cell')).toHaveText([/Card payment$/, '£22.94', '£0.54', '£22.40']);

  // The report. VAT of £8.50 + £4.25 + £1.21 = £13.96 at 20 % is £2.33, of £2.95 + £0.28 at 0 % nothing: £1.49 of delivery fall
  // on £12.75 and £2.95. Of the refunded £4.25 it is £0.71.
  await office.keyboard.press('Escape');
  const report = `/admin/reports?from=${dayIn(-1)}&to=${dayIn(9)}`;
  await office.evaluate(`history.pushState(null, '', '${report}')`);
  await expect(figure(office, 'Takings')).toHaveText('£19.19');
  await expect(figure(office, 'Refunds')).toHaveText('£4.25');
  await expect(figure(office, 'After refunds')).toHaveText('£14.94');
  await expect(figure(office, 'VAT after refunds')).toHaveText('£1.62');
  const cells = (table: string) => office.getByRole('region', { name: table, exact: true }).getByRole('cell');
  await expect(cells('Card payments')).toHaveText(['£22.94', '-£8.00', '-£0.54', '£14.40', '£14.40']);
  for (const name of ['20% £11.63 £2.33 £0.71 £1.62', '0% £3.23 £0.00 £0.00 £0.00', 'Total £14.86 £2.33 £0.71 £1.62']) {
    await expect(office.getByRole('row', { name, exact: true })).toBeVisible();
  }
  await expect(office.getByRole('row', { name: 'Rejected: Too busy' })).toContainText(
    formatMoney(total, 'GBP', 'en-GB'),
  );

  // The accountant's tables. The sale's net at the bank is £22.94 - £0.54 - £3.75 = £18.65; with the refund, £14.40.
  const ofOrder = 'order_number currency order_id payout_id card_mode';
  const order2 = [order.number, 'GBP', order.id, ...tables.payout.keys(), 'test'].join(' | ');
  const sales = await downloadTable(office, 'Orders and refunds');
  expect(columns(sales, ofOrder)).toEqual([order2, order2]);
  expect(
    columns(sales, 'type subtotal discounts fees tip total net vat reason card_fee card_disputed card_net'),
  ).toEqual([
    'sale | 15.70 | 0.00 | 1.49 | 2.00 | 19.19 | 14.86 | 2.33 |  | 0.54 | 0.00 | 18.65',
    'refund |  |  |  | 0.00 | -4.25 | -3.54 | -0.71 | They were cold | 0.00 | 0.00 | -4.25',
  ]);
  const paidOut = await downloadTable(office, 'Payouts, line by line');
  expect(columns(paidOut, ofOrder)).toEqual([order2, order2, order2]);
  expect(columns(paidOut, 'payout_status type amount fee net')).toEqual([
    'paid | charge | 22.94 | 0.54 | 22.40',
    'paid | refund | -3.75 | 0.00 | -3.75',
    'paid | refund | -4.25 | 0.00 | -4.25',
  ]);

  // Both receipts.
  const { body } = await shop.api('GET', `/v1/orders/${order.id}/receipts`, undefined, shop.adminToken);
  const receipt = (copy: string) =>
    (body['data'] as { copy: string; text: string }[]).find((one) => one.copy === copy)?.text ?? '';
  expect(receipt('kitchen')).toMatch(/TAKEN OFF, DO NOT MAKE\s+1× +Chips/);
  expect(receipt('kitchen')).toContain('PARTLY REFUNDED');
  for (const words of [
    /Classic cheeseburger +£8\.50/,
    /Battered onion rings +£4\.25/,
    /House slaw +£2\.95/,
    /Taken off:\s+1× +Skin-on chips/,
    /Subtotal +£15\.70\s+Delivery +£1\.49\s+Tip +£2\.00\s+TOTAL +£19\.19/,
    /PARTLY REFUNDED\s+£4\.25 given back/,
    /at 20% +£11\.63 +£2\.33\s+at 0% +£3\.23 +£0\.00/,
  ]) {
    expect(receipt('customer')).toMatch(words);
  }
});
