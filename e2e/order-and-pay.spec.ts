import type { Page } from '@playwright/test';
import { admin, type Shop } from '#testing/running-shop.ts';
import { expect, test } from './shop.ts';

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };

/** Adds a dish with its usual choices, from the open menu. */
async function addDish(page: Page, name: RegExp): Promise<void> {
  await page.getByRole('link', { name }).first().click();
  await page.getByRole('button', { name: /^Add £/ }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
}

async function fillCollection(page: Page, method: 'Card' | 'Cash'): Promise<void> {
  await page.getByRole('radio', { name: /^Collection/ }).check({ force: true });
  await page.getByLabel('Name').fill('Grace Hopper');
  await page.getByLabel('Phone').fill('07700 900456');
  await page.getByRole('radio', { name: new RegExp(`^${method}`) }).check({ force: true });
}

async function fillDelivery(page: Page): Promise<void> {
  await page.getByRole('radio', { name: /^Delivery/ }).check({ force: true });
  await page.getByLabel('Postcode').fill('cv212aa');
  await page.getByRole('textbox', { name: 'Address' }).fill('12 Park Road');
  await page.getByLabel('Name').fill('Grace Hopper');
  await page.getByLabel('Phone').fill('07700 900456');
  await page.getByRole('radio', { name: /^Cash/ }).check({ force: true });
}

async function openBoard(page: Page): Promise<Page> {
  await page.goto('/store/orders');
  // The guard led to the sign-in, and the sign-in leads back.
  await page.waitForURL('/login');
  await page.getByLabel('Email').fill(admin.email);
  await page.getByLabel('Password').fill(admin.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('/store/orders');
  await page.getByRole('button', { name: 'Start shift' }).click();
  await expect(page.locator('[data-connection="connected"]')).toBeVisible();
  return page;
}

const orderIdOf = (page: Page) => new URL(page.url()).pathname.split('/')[2] ?? '';
const numberOf = async (shop: Shop, id: string) =>
  ((await shop.api('GET', `/v1/orders/${id}`)).body['data'] as { number: string }).number;

test('a card order and a cash order from the menu to the end, in three windows, through a dropped connection', async ({
  shop,
  window,
}) => {
  test.setTimeout(180_000);
  const customer = await window(phone);
  const first = await openBoard(await window());
  const second = await openBoard(await window());

  // By card, for collection: out to the payment page, approved, and back.
  await customer.goto('/menu');
  await addDish(customer, /^Classic cheeseburger/);
  await addDish(customer, /^Skin-on chips/);
  await customer.getByRole('button', { name: /View basket/ }).click();
  await customer.getByRole('link', { name: /^Checkout/ }).click();
  await fillCollection(customer, 'Card');
  await customer.getByRole('button', { name: /^Pay £/ }).click();
  await customer.waitForURL(/\/sandbox\/pay\//);
  await customer.getByRole('button', { name: 'Approve the payment' }).click();
  await customer.waitForURL(/\/orders\/[0-9a-f-]+$/);
  const cardId = orderIdOf(customer);
  const cardNumber = await numberOf(shop, cardId);
  const onFirst = first.locator(`[data-ticket="${cardNumber}"]`);
  const onSecond = second.locator(`[data-ticket="${cardNumber}"]`);
  await expect(onFirst).toBeVisible();
  await expect(onSecond).toBeVisible();
  await expect(customer.getByRole('status').getByRole('heading')).toHaveText(/placed|sent|kitchen/i);

  await onFirst.getByRole('button', { name: /^Accept/ }).click();
  await expect(customer.getByRole('status').getByRole('heading')).toHaveText(/kitchen|cooking|making/i);
  await expect
    .poll(async () => (await shop.api('GET', `/v1/orders/${cardId}`)).body['data'])
    .toMatchObject({ payment_status: 'paid' });

  // The customer's connection drops; what happens meanwhile is there when it is back.
  await customer.context().setOffline(true);
  await onSecond.getByRole('button', { name: 'Packed' }).click();
  await expect(onFirst).toHaveAttribute('data-status', 'packed');
  await customer.context().setOffline(false);
  await expect(customer.getByRole('status').getByRole('heading')).toHaveText(/ready/i, { timeout: 30_000 });
  await onFirst.getByRole('button', { name: 'Customer has it' }).click();
  await expect(customer.getByRole('status').getByRole('heading')).toHaveText(/collected|enjoy/i);

  // In cash, delivered.
  await customer.goto('/menu');
  await addDish(customer, /^Tikka masala/);
  await customer.getByRole('button', { name: /View basket/ }).click();
  await customer
    .getByRole('dialog')
    .getByRole('button', { name: /One more: Tikka masala/ })
    .click();
  await customer.getByRole('link', { name: /^Checkout/ }).click();
  await fillDelivery(customer);
  await customer.getByLabel(/Allergies/).fill('No nuts please');
  await customer.getByRole('button', { name: /^(Order|Place)/ }).click();
  await customer.waitForURL(/\/orders\/[0-9a-f-]+$/);
  const cashId = orderIdOf(customer);
  const ticket = second.locator(`[data-ticket="${await numberOf(shop, cashId)}"]`);
  await expect(ticket).toContainText('No nuts please');
  await ticket.getByRole('button', { name: /^Accept/ }).click();
  await ticket.getByRole('button', { name: 'Packed' }).click();
  await ticket.getByRole('button', { name: 'Driver has it' }).click();
  await expect(customer.getByRole('status').getByRole('heading')).toHaveText(/way/i);
  await ticket.getByRole('button', { name: 'Delivered' }).click();
  await expect(customer.getByRole('status').getByRole('heading')).toHaveText(/delivered|enjoy/i);
  const { body } = await shop.api('GET', `/v1/orders/${cashId}`);
  expect(body['data']).toMatchObject({ status: 'delivered', payment_status: 'paid' });
});

test('a declined card may be tried again, or paid in cash instead', async ({ shop, window }) => {
  const customer = await window(phone);
  await customer.goto('/menu');
  await addDish(customer, /^Classic cheeseburger/);
  await customer.getByRole('button', { name: /View basket/ }).click();
  await customer.getByRole('link', { name: /^Checkout/ }).click();
  await fillCollection(customer, 'Card');
  await customer.getByRole('button', { name: /^Pay £/ }).click();
  await customer.waitForURL(/\/sandbox\/pay\//);
  await customer.getByRole('button', { name: 'Decline the card' }).click();
  await customer.waitForURL(/\/orders\/[0-9a-f-]+$/);
  await customer.getByRole('button', { name: /cash/i }).click();
  await expect
    .poll(async () => (await shop.api('GET', `/v1/orders/${orderIdOf(customer)}`)).body['data'])
    .toMatchObject({
      status: 'placed',
      payment_method: 'cash',
    });
});

test('a lost message from the payment company loses no order, and a refreshed return page pays nothing twice', async ({
  shop,
  window,
}) => {
  const customer = await window(phone);
  await customer.goto('/menu');
  await addDish(customer, /^Classic cheeseburger/);
  await customer.getByRole('button', { name: /View basket/ }).click();
  await customer.getByRole('link', { name: /^Checkout/ }).click();
  await fillCollection(customer, 'Card');
  await customer.getByRole('button', { name: /^Pay £/ }).click();
  await customer.waitForURL(/\/sandbox\/pay\//);
  await customer.getByRole('radio', { name: /Never/ }).check();
  await customer.getByRole('button', { name: 'Approve the payment' }).click();
  await customer.waitForURL(/\/orders\/[0-9a-f-]+$/);
  const id = orderIdOf(customer);
  await customer.goto(`/orders/${id}/payment/callback`);
  await customer.waitForURL(`/orders/${id}`);
  await customer.reload();
  const { body } = await shop.api('GET', `/v1/orders/${id}`);
  expect(body['data']).toMatchObject({ status: 'placed', payment_status: 'authorised' });
});

test('registering at the checkout keeps the basket, and a double click makes one order', async ({ shop, window }) => {
  await shop.api('PATCH', `/v1/stores/${shop.storeId}`, { guest_checkout: false }, shop.adminToken);
  const customer = await window();
  await customer.goto('/menu');
  await addDish(customer, /^Classic cheeseburger/);
  await customer.getByRole('link', { name: /^Checkout/ }).click();
  await customer.getByRole('link', { name: 'Create an account' }).click();
  await customer.getByLabel('Name').fill('Katherine Johnson');
  const email = `katherine-${Date.now()}@example.com`;
  await customer.getByLabel('Email').fill(email);
  await customer.getByLabel('Phone').fill('07700 900789');
  await customer.getByLabel('Password').fill('orbital mechanics');
  await customer.getByRole('button', { name: 'Create an account' }).click();
  await customer.waitForURL('/checkout');
  await expect(customer.getByRole('region', { name: 'Your basket' })).toContainText('Classic cheeseburger');
  await customer.getByRole('radio', { name: /^Collection/ }).check({ force: true });
  await customer.getByRole('radio', { name: /^Cash/ }).check({ force: true });
  await customer.getByRole('button', { name: /^(Order|Place)/ }).dblclick();
  await customer.waitForURL(/\/orders\/[0-9a-f-]+$/);
  const { body: signedIn } = await shop.api('POST', '/v1/auth/login', { email, password: 'orbital mechanics' });
  const { body: own } = await shop.api('GET', '/v1/orders', undefined, String(signedIn['token']));
  expect((own['data'] as unknown[]).length).toBe(1);
  await shop.api('PATCH', `/v1/stores/${shop.storeId}`, { guest_checkout: true }, shop.adminToken);
});

test('a link to an order shows a stranger its progress and nothing about its customer', async ({ shop, window }) => {
  const customer = await window(phone);
  await customer.goto('/menu');
  await addDish(customer, /^Classic cheeseburger/);
  await customer.getByRole('button', { name: /View basket/ }).click();
  await customer.getByRole('link', { name: /^Checkout/ }).click();
  await fillDelivery(customer);
  await customer.getByRole('dialog').waitFor({ state: 'hidden' });
  await customer
    .getByRole('button', { name: /One more: Classic cheeseburger/ })
    .first()
    .click();
  await customer.getByRole('button', { name: /^(Order|Place)/ }).click();
  await customer.waitForURL(/\/orders\/[0-9a-f-]+$/);
  await expect(customer.locator('main')).toContainText('12 Park Road');
  const stranger = await window();
  await stranger.goto(`/orders/${orderIdOf(customer)}`);
  await expect(stranger.locator('main')).toContainText('Classic cheeseburger');
  await expect(stranger.locator('main')).not.toContainText('Grace');
  await expect(stranger.locator('main')).not.toContainText('12 Park Road');
  expect((await shop.api('GET', `/v1/orders/${orderIdOf(customer)}`)).status).toBe(200);
});
