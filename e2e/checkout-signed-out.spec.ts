import type { Page } from '@playwright/test';
import type { Shop } from '#testing/running-shop.ts';
import { expectAccessible } from './accessible.ts';
import { readOrder } from './orders.ts';
import { fillSignIn, type Person, register, signedIn } from './people.ts';
import { expect, test } from './shop.ts';
import { addDish, burger, fillCollection, goToCheckout, orderIdOf, orderPage, payByCard, phone } from './storefront.ts';

/** A customer's complete checkout, whose sign-in then ends on another device. */
async function fillAndBeSignedOut(page: Page, shop: Shop, person: Person): Promise<void> {
  await page.goto('/menu');
  await addDish(page);
  await goToCheckout(page);
  await page.getByRole('radio', { name: /^Collection/ }).check({ force: true });
  await page.getByRole('radio', { name: /^Cash/ }).check({ force: true });
  await expect(page.getByLabel('Name')).toHaveValue(person.name);
  await page.getByLabel('Note for your order').fill('Back door, please');
  await signOutElsewhere(shop, person);
}

/** The page's own token is invalid from now on. */
async function signOutElsewhere(shop: Shop, { token }: Person): Promise<void> {
  expect((await shop.api('POST', '/v1/auth/logout-everywhere', {}, token)).status).toBe(204);
}

const ordersOf = async (shop: Shop, { email, password }: Person): Promise<{ id: string }[]> => {
  const { body } = await shop.api('POST', '/v1/auth/login', { email, password });
  return (await shop.api('GET', '/v1/orders', undefined, String(body['token']))).body['data'] as { id: string }[];
};

test('a customer whose sign-in ended is told at the order, signs in, and finds the checkout still filled in', async ({
  shop,
  window,
}) => {
  const person = await register(shop);
  const page = await signedIn(await window(phone), person.token);
  await fillAndBeSignedOut(page, shop, person);
  const button = page.getByRole('button', { name: /^Place order/ });
  await button.click();
  const dialog = page.getByRole('dialog', { name: 'You were signed out' });
  await expect(dialog).toContainText('Nothing has been ordered yet');
  await expectAccessible(page, 'signed out at the checkout');
  await page.keyboard.press('Escape');
  await expect(page.getByLabel('Name')).toHaveValue(person.name);
  await expect(page.getByLabel('Note for your order')).toHaveValue('Back door, please');

  // A second tap asks again, and sends nothing.
  await button.click();
  await dialog.getByRole('link', { name: 'Sign in' }).click();
  await fillSignIn(page, person);
  await page.waitForURL('/checkout');
  await expect(page.getByRole('region', { name: 'Your basket' })).toContainText(burger);
  await expect(page.getByLabel('Name')).toHaveValue(person.name);
  await expect(page.getByLabel('Note for your order')).toHaveValue('Back door, please');
  await expect(page.getByRole('radio', { name: /^Cash/ })).toBeChecked();
  await button.click();
  await page.waitForURL(orderPage);
  expect(await ordersOf(shop, person)).toMatchObject([{ id: orderIdOf(page), note: 'Back door, please' }]);
});

test('a customer whose sign-in ended can continue as a guest, with everything that the profile had filled in', async ({
  shop,
  window,
}) => {
  const person = await register(shop);
  const { status } = await shop.api('PATCH', '/v1/auth/user', { allergies: ['peanuts'] }, person.token);
  expect(status).toBe(200);
  const page = await signedIn(await window(phone), person.token);
  await fillAndBeSignedOut(page, shop, person);
  await page.getByRole('button', { name: /^Place order/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Order as a guest' }).click();
  await page.waitForURL(orderPage);
  expect(await readOrder(shop, { id: orderIdOf(page) })).toMatchObject({
    status: 'placed',
    customer: null,
    contact: { name: person.name, email: person.email },
    note: 'Back door, please',
    allergy_note: 'Peanuts',
  });
  expect(await ordersOf(shop, person)).toEqual([]);
});

test('signing out in another tab also leads to the question', async ({ shop, window }) => {
  const person = await register(shop);
  const page = await signedIn(await window(phone), person.token);
  await page.goto('/menu');
  await addDish(page);
  await goToCheckout(page);
  await fillCollection(page);
  const other = await page.context().newPage();
  await other.goto('/');
  await other.getByRole('button', { name: /^Account/ }).click();
  await other.getByRole('button', { name: 'Sign out', exact: true }).click();
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign in' })).toBeVisible();
  await page.getByRole('button', { name: /^Place order/ }).click();
  await expect(page.getByRole('dialog', { name: 'You were signed out' })).toBeVisible();
});

test('if guests may not order, a customer whose sign-in ended is only offered to sign in', async ({ shop, window }) => {
  const person = await register(shop);
  await shop.api('PATCH', `/v1/stores/${shop.storeId}`, { guest_checkout: false }, shop.adminToken);
  try {
    const page = await signedIn(await window(phone), person.token);
    await fillAndBeSignedOut(page, shop, person);
    await page.getByRole('button', { name: /^Place order/ }).click();
    const dialog = page.getByRole('dialog', { name: 'You were signed out' });
    await expect(dialog.getByRole('link', { name: 'Sign in' })).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Order as a guest' })).toHaveCount(0);
  } finally {
    await shop.api('PATCH', `/v1/stores/${shop.storeId}`, { guest_checkout: true }, shop.adminToken);
  }
});

test('paying, and coming back from paying, report that the sign-in has ended', async ({ shop, window }) => {
  const person = await register(shop);
  const page = await signedIn(await window(phone), person.token);
  await page.goto('/menu');
  await addDish(page);
  await goToCheckout(page);
  await page.getByRole('radio', { name: /^Collection/ }).check({ force: true });
  await payByCard(page);
  await signOutElsewhere(shop, person);
  await page.getByRole('radio', { name: /Never/ }).check();
  await page.getByRole('button', { name: 'Approve the payment' }).click();
  // Sent without a sign-in, with the order's own session.
  await page.waitForURL(orderPage);
  await expect(page.getByRole('status').filter({ hasText: 'You were signed out' })).toBeVisible();
  const read = await readOrder(shop, { id: orderIdOf(page) });
  expect(read).toMatchObject({ status: 'placed', customer: { email: person.email } });
});

test('without a connection the page says that nothing was sent, and nothing is sent', async ({ shop, window }) => {
  const page = await window(phone);
  await page.goto('/menu');
  await addDish(page);
  await goToCheckout(page);
  await fillCollection(page);
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && new URL(request.url()).pathname === '/v1/orders') sent.push(request.url());
  });
  await page.context().setOffline(true);
  const button = page.getByRole('button', { name: /^Place order/ });
  await button.click();
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('nothing was sent');
  await expect(alert).not.toContainText('do not know');
  expect(sent).toEqual([]);
  await page.context().setOffline(false);
  await button.click();
  await page.waitForURL(orderPage);
  expect(sent).toHaveLength(1);
  expect(await readOrder(shop, { id: orderIdOf(page) })).toMatchObject({ status: 'placed' });
});

test('after a second tap without a connection, the page does not say whether the first one arrived', async ({
  window,
}) => {
  const page = await window(phone);
  await page.goto('/menu');
  await addDish(page);
  await goToCheckout(page);
  await fillCollection(page);
  await page.route(
    (url) => url.pathname === '/v1/orders' || url.pathname.startsWith('/v1/orders/session/'),
    (route) => route.abort(),
  );
  const button = page.getByRole('button', { name: /^Place order/ });
  await button.click();
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('we do not know');
  await page.context().setOffline(true);
  await button.click();
  await expect(alert).toContainText('we do not know');
  await expect(alert).not.toContainText('nothing was sent');
});
