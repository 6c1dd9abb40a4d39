import type { Page } from '@playwright/test';
import type { Shop } from '#testing/running-shop.ts';
import { expectAccessible } from './accessible.ts';
import { readOrder } from './orders.ts';
import { fillSignIn, newAddress, password, register } from './people.ts';
import { expect, test } from './shop.ts';
import {
  burger,
  changeStore,
  chooseWay,
  openCheckout,
  openPart,
  orderIdOf,
  orderPage,
  payByCard,
  payWith,
  phone,
} from './storefront.ts';

const allergies = (page: Page) => page.getByLabel(/Allergies/);
const note = (page: Page) => page.getByLabel('Note for your order');
const orderButton = (page: Page) => page.getByRole('button', { name: /^Place order/ });
const question = (page: Page) => page.getByRole('dialog', { name: 'You were signed out' });

/** The profile avoids something that the dish contains. */
async function orderAnyway(page: Page): Promise<void> {
  await orderButton(page).click();
  const asked = page.getByRole('dialog', { name: 'Order all the same?' });
  await expect(asked).toContainText('Contains milk.');
  await asked.getByRole('button', { name: 'Order anyway' }).click();
}

async function collectInCash(page: Page): Promise<void> {
  await chooseWay(page, 'Collection');
  await payWith(page, 'Cash');
  await openPart(page, 'notes');
  await note(page).fill('Back door, please');
}

const tokenOf = (page: Page) => page.evaluate(() => localStorage.getItem('token') ?? '');

/** The sign-in ends on another device: the page's own token is invalid from now on. */
async function signOutElsewhere(shop: Shop, page: Page): Promise<void> {
  expect((await shop.api('POST', '/v1/auth/logout-everywhere', {}, await tokenOf(page))).status).toBe(204);
}

async function setAllergies(shop: Shop, token: string, codes: string[]): Promise<void> {
  expect((await shop.api('PATCH', '/v1/auth/user', { allergies: codes }, token)).status).toBe(200);
}

const ordersOf = async (shop: Shop, email: string): Promise<{ id: string }[]> => {
  const { body } = await shop.api('POST', '/v1/auth/login', { email, password });
  return (await shop.api('GET', '/v1/orders', undefined, String(body['token']))).body['data'] as { id: string }[];
};

test('a customer signs in at the checkout, is told that the sign-in has ended, signs in again and finds everything filled in', async ({
  shop,
  window,
}) => {
  const person = await register(shop);
  await setAllergies(shop, person.token, ['peanuts', 'milk']);
  const page = await window(phone);
  const dialog = question(page);
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && new URL(request.url()).pathname === '/v1/orders') sent.push(request.url());
  });
  await openCheckout(shop, page);

  await test.step("after signing in at the checkout the profile's allergies are in the note", async () => {
    // Typing in another field stores the whole form, and an unchanged note is still the profile's.
    await openPart(page, 'who');
    await page.getByLabel('Name').fill('Grace Hopper');
    await page.getByRole('region', { name: 'Your details' }).getByRole('link', { name: 'Sign in' }).click();
    await fillSignIn(page, person);
    await page.waitForURL('/checkout');
    await expect(allergies(page)).toHaveValue('Milk, peanuts');
    await expect(page.getByLabel('Email')).toHaveValue(person.email);
  });

  await test.step('a sign-in that has ended is told at the order, and nothing is lost', async () => {
    await collectInCash(page);
    await signOutElsewhere(shop, page);
    await orderAnyway(page);
    await expect(dialog).toContainText('Nothing has been ordered yet');
    await expectAccessible(page, 'signed out at the checkout');
    await page.keyboard.press('Escape');
    await expect(page.getByLabel('Email')).toHaveValue(person.email);
    await expect(note(page)).toHaveValue('Back door, please');
  });

  await test.step('a second tap asks again and sends nothing; if guests may not order, only signing in is offered', async () => {
    expect(sent).toHaveLength(1);
    await orderAnyway(page);
    await expect(dialog.getByRole('button', { name: 'Order as a guest' })).toBeVisible();
    expect(sent).toHaveLength(1);
    await changeStore(shop, { guest_checkout: false });
    try {
      await expect(dialog.getByRole('button', { name: 'Order as a guest' })).toHaveCount(0);
      await expect(dialog.getByRole('link', { name: 'Sign in' })).toBeVisible();
    } finally {
      await changeStore(shop, { guest_checkout: true });
    }
  });

  await test.step('signing in again leads back to the filled checkout, and the order is theirs', async () => {
    await dialog.getByRole('link', { name: 'Sign in' }).click();
    await fillSignIn(page, person);
    await page.waitForURL('/checkout');
    await expect(page.getByRole('region', { name: 'Your basket' })).toContainText(burger);
    await expect(page.getByLabel('Email')).toHaveValue(person.email);
    await expect(note(page)).toHaveValue('Back door, please');
    await expect(page.getByRole('region', { name: 'How would you like to pay?' })).toContainText('Cash in the shop');
    await orderAnyway(page);
    await page.waitForURL(orderPage);
    const expected = { id: orderIdOf(page), note: 'Back door, please', allergy_note: 'Milk, peanuts' };
    const confirmed = { ...expected, allergies: ['milk', 'peanuts'] };
    expect(await ordersOf(shop, person.email)).toMatchObject([confirmed]);
  });

  await setAllergies(shop, await tokenOf(page), ['fish']);
  await openCheckout(shop, page);
  await expect(allergies(page), 'an unchanged note follows the profile').toHaveValue('Fish');

  await test.step('signing out in another tab also leads to the question', async () => {
    await collectInCash(page);
    const other = await page.context().newPage();
    await other.goto('/');
    await other.getByRole('button', { name: /^Account/ }).click();
    await other.getByRole('button', { name: 'Sign out', exact: true }).click();
    await expect(page.getByRole('banner').getByRole('link', { name: 'Sign in' })).toBeVisible();
    await other.close();
    await orderButton(page).click();
    await dialog.getByRole('link', { name: 'Sign in' }).click();
    await fillSignIn(page, person);
    await page.waitForURL('/checkout');
  });

  await test.step('paying, and coming back from paying, report that the sign-in has ended', async () => {
    await payByCard(page);
    await signOutElsewhere(shop, page);
    await page.getByRole('radio', { name: /Never/ }).check();
    await page.getByRole('button', { name: 'Approve the payment' }).click();
    // Sent without a sign-in, with the order's own session.
    await page.waitForURL(orderPage);
    await expect(page.getByRole('status').filter({ hasText: 'You were signed out' })).toBeVisible();
    const read = await readOrder(shop, { id: orderIdOf(page) });
    expect(read).toMatchObject({ status: 'placed', customer: { email: person.email } });
  });
});

test('registering at the checkout keeps the basket, a double click makes one order, and once signed out they order as a guest', async ({
  shop,
  window,
}) => {
  const email = newAddress();
  const page = await window(phone);

  await changeStore(shop, { guest_checkout: false });
  try {
    await openCheckout(shop, page);
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByLabel('Name').fill('Katherine Johnson');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Phone').fill('07700 900789');
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Create an account' }).click();
    await page.waitForURL('/checkout');
    await expect(page.getByRole('region', { name: 'Your basket' })).toContainText(burger);
    await collectInCash(page);
    await orderButton(page).dblclick();
    await page.waitForURL(orderPage);
    expect(await ordersOf(shop, email)).toHaveLength(1);
  } finally {
    await changeStore(shop, { guest_checkout: true });
  }

  await test.step('as a guest they order with everything that the profile had filled in', async () => {
    const own = orderIdOf(page);
    await setAllergies(shop, await tokenOf(page), ['peanuts']);
    await openCheckout(shop, page);
    await collectInCash(page);
    await expect(allergies(page)).toHaveValue('Peanuts');
    await signOutElsewhere(shop, page);
    await orderButton(page).click();
    await question(page).getByRole('button', { name: 'Order as a guest' }).click();
    await page.waitForURL(orderPage);
    expect(await readOrder(shop, { id: orderIdOf(page) })).toMatchObject({
      status: 'placed',
      customer: null,
      contact: { name: 'Katherine Johnson', email },
      note: 'Back door, please',
      allergy_note: 'Peanuts',
    });
    expect(await ordersOf(shop, email)).toMatchObject([{ id: own }]);
  });
});
