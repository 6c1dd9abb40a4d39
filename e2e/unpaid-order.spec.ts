import type { Page, WebSocketRoute } from '@playwright/test';
import type { Shop } from '#testing/running-shop.ts';
import { expectAccessible } from './accessible.ts';
import { readOrder } from './orders.ts';
import { expect, test } from './shop.ts';
import {
  burger,
  fillCollection,
  openCheckout,
  openPart,
  orderIdOf,
  orderPage,
  payByCard,
  payWith,
  phone,
  placeOrder,
} from './storefront.ts';

const basket = (page: Page) => page.getByRole('region', { name: 'Your basket' });
const waits = (page: Page) => page.getByRole('status').filter({ hasText: 'is waiting for your payment' });
const isEmpty = (page: Page) => expect(page.getByText('Nothing in here yet')).toBeVisible();

/** Goes to the payment page with an order of a burger, and with everything that can be said about it. */
async function goToPaying(shop: Shop, page: Page): Promise<void> {
  await openCheckout(shop, page);
  await fillCollection(page);
  await openPart(page, 'notes');
  await page.getByLabel(/Allergies/).fill('No nuts please');
  await page.getByLabel('Note for your order').fill('Back door');
  await openPart(page, 'who');
  await page.getByLabel('Email').fill('grace@example.com');
  await page.getByRole('radio', { name: '£2.00', exact: true }).check({ force: true });
  await payByCard(page);
}

async function expectAllSaid(page: Page): Promise<void> {
  await expect(page.getByLabel(/Allergies/)).toHaveValue('No nuts please');
  await expect(page.getByLabel('Note for your order')).toHaveValue('Back door');
  await expect(page.getByLabel('Name')).toHaveValue('Grace Hopper');
  await expect(page.getByLabel('Email')).toHaveValue('grace@example.com');
  await expect(page.getByRole('radio', { name: '£2.00', exact: true })).toBeChecked();
}

/** The notice of the waiting order, at the checkout or on the home page. */
async function waitingId(page: Page): Promise<string> {
  const href = (await waits(page).getByRole('link', { name: 'See the order' }).getAttribute('href')) ?? '';
  return href.split('/').at(-1) ?? '';
}

test('Back from the payment page restores the basket, whose next order replaces the unpaid one, unless that was paid after all', async ({
  shop,
  window,
}) => {
  const page = await window(phone);
  const sockets: WebSocketRoute[] = [];
  let isCut = false;
  await page.routeWebSocket(/\/app\//, (socket) => {
    if (isCut) return void socket.close();
    socket.connectToServer();
    sockets.push(socket);
  });
  await goToPaying(shop, page);
  const payAt = page.url();

  await test.step('Back from the payment page restores the basket', async () => {
    await page.goBack();
    await expect(waits(page)).toBeVisible();
    await expect(basket(page)).toContainText(burger);
    await expectAllSaid(page);
    await expectAccessible(page, 'back from the payment page');
  });

  await test.step('if the order is paid after all, dishes added since stay in the basket, and nothing is ordered twice', async () => {
    const first = await waitingId(page);
    await basket(page)
      .getByRole('button', { name: `One more: ${burger}` })
      .click();
    await payWith(page, 'Cash');
    // The checkout does not receive the payment's event.
    await page.route(new RegExp(`/v1/orders/${first}$`), (route) => route.abort());
    isCut = true;
    for (const socket of sockets) await socket.close();
    const approved = await page.request.post(payAt, { form: { outcome: 'approve' }, maxRedirects: 0 });
    expect(approved.status()).toBe(303);
    await expect.poll(async () => (await readOrder(shop, { id: first })).status).toBe('placed');
    await page.getByRole('button', { name: /^Place order/ }).click();
    await page.waitForURL(new RegExp(`/orders/${first}$`));
    await page.unrouteAll();
    isCut = false;
    await page.goto('/checkout');
    await expect(basket(page).locator('output')).toHaveText('2');
    await expect(waits(page)).toHaveCount(0);
  });

  await goToPaying(shop, page);
  const other = await page.context().newPage();

  await test.step('in another tab the details of an unpaid order stay with it, above all its allergies', async () => {
    await other.goto('/checkout');
    const first = await waitingId(other);
    await expectAllSaid(other);
    // A reload does not restore what was changed there.
    await openPart(other, 'notes');
    await other.getByLabel(/Allergies/).fill('No nuts, no sesame');
    await other.reload();
    await expect(other.getByLabel(/Allergies/)).toHaveValue('No nuts, no sesame');
    await basket(other)
      .getByRole('button', { name: `One more: ${burger}` })
      .click();
    await payWith(other, 'Cash');
    const second = await placeOrder(other);
    expect(second).not.toBe(first);
    expect(await readOrder(shop, { id: first })).toMatchObject({ status: 'cancelled' });
    expect(await readOrder(shop, { id: second })).toMatchObject({
      status: 'placed',
      allergy_note: 'No nuts, no sesame',
      note: 'Back door',
      tip: 200,
      contact: { name: 'Grace Hopper', email: 'grace@example.com' },
      lines: [{ name: burger, quantity: 2 }],
    });
    await other.goto('/checkout');
    await isEmpty(other);
  });

  await test.step('once the order is paid the basket is empty, even if the customer does not return from the payment page', async () => {
    await goToPaying(shop, page);
    await expect(basket(other)).toContainText(burger);
    await page.getByRole('radio', { name: /Never/ }).check();
    await page.getByRole('button', { name: 'Approve the payment' }).click();
    await page.waitForURL(orderPage);
    // The other tab receives the change, and offers nothing to pay a second time.
    await isEmpty(other);
  });

  await test.step('a lost message from the provider loses no order, and reloading the return page pays nothing twice', async () => {
    const id = orderIdOf(page);
    await page.goto(`/orders/${id}/payment/callback`);
    await page.waitForURL(`/orders/${id}`);
    const { body } = await shop.api('GET', `/v1/orders/${id}`);
    expect(body['data']).toMatchObject({ status: 'placed', payment_status: 'authorised' });
  });
});

test('in another tab the details of an unpaid order stay with it while it waits', async ({ shop, window }) => {
  const page = await window(phone);
  await goToPaying(shop, page);
  await page.getByRole('button', { name: /leave|walk|without paying/i }).click();
  await page.waitForURL(orderPage);
  const first = orderIdOf(page);
  const other = await page.context().newPage();
  await other.goto('/checkout');
  await expectAllSaid(other);
  await other.goto(`/orders/${first}`);
  await other.getByRole('button', { name: 'Change the order' }).click();
  await other.waitForURL('/checkout');
  await expectAllSaid(other);
  // A reload does not restore what was changed there.
  await openPart(other, 'notes');
  await other.getByLabel(/Allergies/).fill('No nuts, no sesame');
  await other.reload();
  await expect(other.getByLabel(/Allergies/)).toHaveValue('No nuts, no sesame');
  await payWith(other, 'Cash');
  const second = await placeOrder(other);
  expect(await readOrder(shop, { id: first })).toMatchObject({ status: 'cancelled' });
  expect(await readOrder(shop, { id: second })).toMatchObject({
    status: 'placed',
    allergy_note: 'No nuts, no sesame',
    note: 'Back door',
    tip: 200,
    contact: { name: 'Grace Hopper', email: 'grace@example.com' },
  });
});

test('the page of an order that waits for its payment can change and cancel it', async ({ shop, window }) => {
  const page = await window(phone);
  await goToPaying(shop, page);
  await page.getByRole('button', { name: /leave|walk|without paying/i }).click();
  await page.waitForURL(orderPage);
  const first = orderIdOf(page);
  await expectAccessible(page, 'an order that waits for its payment');
  // As on another day: the basket is empty.
  await page.evaluate(
    'localStorage.removeItem("basket"); localStorage.removeItem("waiting_order"); sessionStorage.clear()',
  );
  await page.reload();
  await page.getByRole('button', { name: 'Change the order' }).click();
  await page.waitForURL('/checkout');
  await expect(basket(page)).toContainText(burger);
  await expect(page.getByLabel('Name')).toHaveValue('Grace Hopper');
  await expect(page.getByLabel(/Allergies/)).toHaveValue('No nuts please');
  await expect(page.getByLabel('Note for your order')).toHaveValue('Back door');
  await expect(page.getByLabel('Email')).toHaveValue('grace@example.com');
  await expect(page.getByRole('radio', { name: '£2.00', exact: true })).toBeChecked();
  await payByCard(page);
  expect(await readOrder(shop, { id: first })).toMatchObject({ status: 'cancelled' });

  await page.getByRole('button', { name: /leave|walk|without paying/i }).click();
  await page.waitForURL(orderPage);
  const second = orderIdOf(page);
  await page.getByRole('button', { name: 'Cancel the order' }).click();
  await expectAccessible(page, 'asked whether to cancel');
  await page.getByRole('dialog').getByRole('button', { name: /^Yes/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: /cancelled/ })).toBeVisible();
  expect(await readOrder(shop, { id: second })).toMatchObject({ status: 'cancelled' });
  // It was cancelled: nothing of it remains in the basket by accident.
  await page.goto('/checkout');
  await expect(page.getByText('Nothing in here yet')).toBeVisible();
});

test('an order whose time to pay has ended can be ordered again once, also from another tab, with all its details', async ({
  shop,
  window,
}) => {
  const page = await window(phone);
  await goToPaying(shop, page);
  await page.getByRole('button', { name: /leave|walk|without paying/i }).click();
  await page.waitForURL(orderPage);
  const id = orderIdOf(page);
  const other = await page.context().newPage();
  await page.close();
  // The shop's answer half an hour later.
  await other.route(`**/v1/orders/${id}`, async (route) => {
    const answer = await route.fetch();
    const { data } = (await answer.json()) as { data: object };
    await route.fulfill({ response: answer, json: { data: { ...data, status: 'expired', actions: [] } } });
  });
  await other.goto(`/orders/${id}`);
  await other.getByRole('button', { name: /^Order again/ }).click();
  await other.waitForURL('/checkout');
  await expect(basket(other).locator('output')).toHaveText('1');
  await expect(other.getByLabel(/Allergies/)).toHaveValue('No nuts please');
  await expect(other.getByLabel('Email')).toHaveValue('grace@example.com');
});

test('without a connection the page of a waiting order says that nothing was sent', async ({ shop, window }) => {
  const page = await window(phone);
  await goToPaying(shop, page);
  await page.getByRole('button', { name: /leave|walk|without paying/i }).click();
  await page.waitForURL(orderPage);
  const inCash = page.getByRole('button', { name: /cash/ });
  await expect(inCash).toBeVisible();
  await page.context().setOffline(true);
  await inCash.click();
  await expect(page.getByRole('alert').filter({ hasText: 'nothing was sent' })).toBeVisible();
});
