import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { openGuestOrder } from './orders.ts';
import { newAddress, password, readMail, register, signedIn, signIn } from './people.ts';
import { expect, test } from './shop.ts';
import { guestOrder, phone } from './storefront.ts';

const linkIn = (text: string): string => /\/account-link#token=[\w-]+/.exec(text)?.[0] ?? '';
const keep = (page: Page) => page.getByRole('region', { name: 'Keep this order in an account' });

test("a guest's orders come into a new account by one tap and a link, which works once", async ({ shop, window }) => {
  const email = newAddress();
  const page = await window(phone);
  const first = await openGuestOrder(shop, page, '');
  // Without an address there is nowhere to send a link to.
  await expect(keep(page).getByRole('link', { name: 'Create an account' })).toBeVisible();
  const second = await guestOrder(page, email);
  await expectAccessible(page);
  await keep(page).getByRole('button', { name: 'Email me a link' }).click();
  await expect(keep(page).getByText(`We have sent a link to ${email}.`)).toBeVisible();
  await expectAccessible(page);

  const link = linkIn(await readMail(shop, email, 'Your account at'));
  const elsewhere = await window();
  await elsewhere.goto(link);
  await expect(elsewhere.getByText(email)).toBeVisible();
  await expect(elsewhere.getByRole('main').getByRole('listitem')).toHaveCount(2);
  await elsewhere.getByLabel('Password').fill('short');
  await elsewhere.getByRole('button', { name: 'Save and sign in' }).click();
  await expect(elsewhere.getByText('At least 8 characters.').first()).toBeVisible();
  await expectAccessible(elsewhere);
  await elsewhere.getByLabel('Password').fill(password);
  await elsewhere.getByRole('button', { name: 'Save and sign in' }).click();
  await elsewhere.waitForURL('/customer/orders');
  for (const id of [first, second]) {
    await expect(elsewhere.locator(`a[href="/orders/${id}"]`).first()).toBeVisible();
  }
  await expect(elsewhere.getByRole('button', { name: 'Account of Grace Hopper' })).toBeVisible();
  await elsewhere.goto(link);
  await elsewhere.reload();
  await expect(elsewhere.getByRole('heading', { name: 'This link no longer works' })).toBeVisible();
  await expectAccessible(elsewhere);

  // The guest's own page knows that the order is kept now, and whose account it is stays unsaid.
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText('Grace Hopper').first()).toBeVisible();
  await expect(keep(page)).toHaveCount(0);
});

test('an address that has an account is not told to the guest; its owner adds the order by the link', async ({
  shop,
  window,
}) => {
  const person = await register(shop, 'Ada Byron');
  const page = await window(phone);
  const id = await openGuestOrder(shop, page, person.email);
  await keep(page).getByRole('button', { name: 'Email me a link' }).click();
  await expect(keep(page).getByText(`We have sent a link to ${person.email}.`)).toBeVisible();
  await expect(page.getByText('Ada Byron')).toHaveCount(0);

  // Nobody has confirmed the address yet: who reads its mail gets the account, with a password of their own.
  const link = linkIn(await readMail(shop, person.email, 'Order'));
  await page.goto(link);
  await page.getByLabel('Password').fill('the one of its owner');
  await page.getByRole('button', { name: 'Save and sign in' }).click();
  await page.waitForURL('/customer/orders');
  await expect(page.locator(`a[href="/orders/${id}"]`).first()).toBeVisible();

  await page.evaluate(() => localStorage.removeItem('token'));
  const again = await openGuestOrder(shop, page, person.email);
  await keep(page).getByRole('button', { name: 'Email me a link' }).click();
  const other = await window();
  await expect.poll(async () => linkIn(await readMail(shop, person.email, 'Order'))).not.toBe(link);
  await other.goto(linkIn(await readMail(shop, person.email, 'Order')));
  await expect(other.getByText(`There is an account for ${person.email}.`)).toBeVisible();
  await expectAccessible(other);
  await other.getByRole('button', { name: 'Add to my account' }).click();
  await expect(other.getByRole('heading', { name: 'The order is in your account.' })).toBeVisible();
  await other.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
  await other.getByLabel('Email').fill(person.email);
  await other.getByLabel('Password', { exact: true }).fill('the one of its owner');
  await other.getByRole('button', { name: 'Sign in', exact: true }).click();
  await other.waitForURL('/customer/orders');
  await expect(other.locator(`a[href="/orders/${again}"]`).first()).toBeVisible();
});

test('who has an account signs in from the order, which then goes into it by itself or by a tap', async ({
  shop,
  window,
}) => {
  const person = await register(shop);
  const page = await window(phone);
  const id = await openGuestOrder(shop, page, '');
  await keep(page).getByRole('link', { name: 'Sign in' }).click();
  await page.waitForURL('/login');
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(`/orders/${id}`);
  await expect(page.getByText('The order is in your account.')).toBeVisible();
  await page.goto('/customer/orders');
  await expect(page.locator(`a[href="/orders/${id}"]`).first()).toBeVisible();

  const later = await window(phone);
  const second = await openGuestOrder(shop, later, newAddress());
  await signIn(later, person);
  await later.goto(`/orders/${second}`);
  await expect(later.getByText(`Add it to your account (${person.email})`)).toBeVisible();
  await expectAccessible(later);
  await later.getByRole('button', { name: 'Add to my account' }).click();
  await expect(later.getByText('The order is in your account.')).toBeVisible();
  await expect(later.getByRole('button', { name: 'Add to my account' })).toHaveCount(0);

  // Somebody else with the link to it sees no way to take it.
  const stranger = await signedIn(await window(), (await register(shop)).token);
  await stranger.goto(`/orders/${second}`);
  await expect(stranger.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(stranger.getByRole('button', { name: 'Add to my account' })).toHaveCount(0);
});
