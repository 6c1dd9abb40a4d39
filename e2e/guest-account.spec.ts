import type { Page } from '@playwright/test';
import type { Shop } from '#testing/running-shop.ts';
import { expectAccessible } from './accessible.ts';
import { openGuestOrder, sendOrder } from './orders.ts';
import { fillSignIn, newAddress, password, readMail } from './people.ts';
import { expect, test } from './shop.ts';
import { phone } from './storefront.ts';

const linkIn = (text: string): string => /\/account-link#token=[\w-]+/.exec(text)?.[0] ?? '';
const keep = (page: Page) => page.getByRole('region', { name: 'Keep this order in an account' });

/** Asks for the mailed link to an account, as the page does where the shop sends mail. */
async function askForLink(shop: Shop, page: Page, id: string): Promise<number> {
  const sessions = await page.evaluate(
    () => JSON.parse(localStorage.getItem('order_sessions') ?? '[]') as [id: string, session: string][],
  );
  const response = await fetch(`${shop.url}/v1/orders/${id}/account-link`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-order-session': sessions.find(([known]) => known === id)?.[1] ?? '',
    },
    body: JSON.stringify({ sessions: sessions.map(([, session]) => session) }),
  });
  return response.status;
}

// `account-links.test.ts` has the rights of each link, and the answers about an existing account.
test("a guest's orders come into a new account by one tap and a link, and later ones by a link, by signing in, or by a tap", async ({
  shop,
  window,
}) => {
  const email = newAddress();
  const page = await window(phone);
  const elsewhere = await window();

  await test.step('the account is made by a link, which works once', async () => {
    const first = await openGuestOrder(shop, page, '');
    // Without an address there is nowhere to send a link to.
    await expect(keep(page).getByRole('link', { name: 'Create an account' })).toBeVisible();
    const second = await openGuestOrder(shop, page, email);
    // Nor from a shop that sends no mail: it offers no link, and the server keeps the one that is asked for.
    await expect(keep(page).getByRole('link', { name: 'Create an account' })).toBeVisible();
    await expect(keep(page).getByRole('button')).toHaveCount(0);
    await expectAccessible(page);
    expect(await askForLink(shop, page, second)).toBe(200);

    const link = linkIn(await readMail(shop, email, 'Your account at'));
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
    await expect(elsewhere.getByRole('heading', { name: 'This link no longer works' })).toBeVisible();
    await expectAccessible(elsewhere);

    // The guest's own page knows that the order is kept now, and whose account it is stays unsaid.
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByText('Grace Hopper').first()).toBeVisible();
    await expect(keep(page)).toHaveCount(0);
  });

  await test.step('a link to the address of an account adds the order to it', async () => {
    const third = await openGuestOrder(shop, page, email);
    await expectAccessible(page);
    expect(await askForLink(shop, page, third)).toBe(200);
    const link = linkIn(await readMail(shop, email, 'Order'));
    await elsewhere.evaluate(() => localStorage.removeItem('token'));
    await elsewhere.goto(link);
    await expect(elsewhere.getByText(`There is an account for ${email}.`)).toBeVisible();
    await expectAccessible(elsewhere);
    await elsewhere.getByRole('button', { name: 'Add to my account' }).click();
    await expect(elsewhere.getByRole('heading', { name: 'The order is in your account.' })).toBeVisible();
    await elsewhere.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
    await fillSignIn(elsewhere, { email, password });
    await elsewhere.waitForURL('/customer/orders');
    await expect(elsewhere.locator(`a[href="/orders/${third}"]`).first()).toBeVisible();
  });

  await test.step('who signs in from the order finds it in the account', async () => {
    const fourth = await openGuestOrder(shop, page, '');
    await keep(page).getByRole('link', { name: 'Sign in' }).click();
    await page.waitForURL('/login');
    // A browser that never says whether it is notified does not keep the order out of the account.
    await page.evaluate(`
      Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
      navigator.serviceWorker.getRegistration = () => new Promise(() => undefined);`);
    await fillSignIn(page, { email, password });
    await page.waitForURL(`/orders/${fourth}`);
    await expect(page.getByText('The order is in your account.')).toBeVisible();
  });

  await test.step('who is signed in adds an order by a tap, if they placed it', async () => {
    // Somebody with no more than the link to it sees no way to take it.
    const { id } = await sendOrder(shop);
    await elsewhere.goto(`/orders/${id}`);
    await expect(elsewhere.getByText('Names, addresses and notes are shown only')).toBeVisible();
    await expect(elsewhere.getByRole('button', { name: 'Account of Grace Hopper' })).toBeVisible();
    await expect(elsewhere.getByRole('button', { name: 'Add to my account' })).toHaveCount(0);

    const fifth = await openGuestOrder(shop, page, newAddress());
    await expect(page.getByText(`Add it to your account (${email})`)).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Add to my account' }).click();
    await expect(page.getByText('The order is in your account.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Add to my account' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Account of Grace Hopper' }).click();
    await page.getByRole('link', { name: 'My orders' }).click();
    await page.waitForURL('/customer/orders');
    await expect(page.locator(`a[href="/orders/${fifth}"]`).first()).toBeVisible();
  });
});
