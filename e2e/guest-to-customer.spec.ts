import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { startTestProvider, type TestProvider } from '#accounts/testing/oidc-provider.ts';
import { startPushService, type PushService, type TestBrowser } from '#push/testing/push-service.ts';
import { startMailServer, type MailServer, type ReceivedMail } from '#testing/mail-server.ts';
import { openShop, type Shop } from '#testing/running-shop.ts';
import { expectAccessible } from './accessible.ts';
import { googleDetails, offer, person, signInThere, withoutFonts } from './companies.ts';
import { openOffice } from './office.ts';
import { moveOrder } from './orders.ts';
import { password } from './people.ts';
import { deliverTo, shownNotifications, tapNotification, withNotifications } from './push.ts';
import { expect, test as base } from './shop.ts';
import { guestOrder, phone } from './storefront.ts';

interface World {
  google: TestProvider;
  push: PushService;
  shop: Shop;
  smtp: MailServer;
}

/** A shop that sends through a real SMTP server and a push service, and a local provider in Google's place. */
const test = base.extend<{ shop: Shop }, { world: World }>({
  world: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from this pattern what the fixture needs
    async ({}, use) => {
      const [google, smtp, push] = await Promise.all([
        startTestProvider('google'),
        startMailServer(),
        startPushService(),
      ]);
      const shop = await openShop((url) => ({
        APP_URL: url,
        // In production no push service on this machine is allowed.
        NODE_ENV: 'test',
        SMTP_URL: smtp.url,
        OIDC_GOOGLE_ISSUER: google.issuer,
        ...push.settings,
      }));
      google.admitShop(shop.url);
      await use({ google, push, shop, smtp });
      await shop.stop();
      await Promise.all([google.close(), smtp.stop(), push.stop()]);
    },
    { scope: 'worker' },
  ],
  shop: async ({ world: { shop } }, use) => use(shop),
});
test.use(withNotifications);

/** A headless browser cannot subscribe: the service's own subscription stands for what the browser would get. */
async function subscribeAt(push: PushService, page: Page): Promise<() => TestBrowser> {
  const made: TestBrowser[] = [];
  await page.exposeFunction('subscribeAtService', (key: string) => {
    const browser = push.subscribe(key);
    made.push(browser);
    return browser.subscription;
  });
  await page.addInitScript(`
    const read = () => JSON.parse(localStorage.getItem('test_subscription') ?? 'null');
    const wrap = (made) => made && {
      options: { applicationServerKey: null }, toJSON: () => made, unsubscribe: async () => true,
    };
    PushManager.prototype.getSubscription = async () => wrap(read());
    PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
      const made = await subscribeAtService(applicationServerKey);
      localStorage.setItem('test_subscription', JSON.stringify(made));
      return wrap(made);
    };`);
  return () => {
    const [browser] = made;
    if (!browser) throw new Error('Nobody has subscribed.');
    return browser;
  };
}

test('a guest orders, is told by mail and push, makes the account from the order and comes back with Google', async ({
  world,
  window,
}) => {
  const { google, push, shop, smtp } = world;
  await offer(shop, googleDetails(google));
  const email = `grace.${randomUUID()}@gmail.com`;
  const mailAbout = async (subject: string): Promise<ReceivedMail> => {
    const find = () => smtp.received.findLast((mail) => mail.to.includes(email) && mail.subject.includes(subject));
    const subjects = () => smtp.received.filter(({ to }) => to.includes(email)).map((mail) => mail.subject);
    await expect.poll(() => (find() ? 'came' : subjects())).toBe('came');
    return find() as ReceivedMail;
  };

  // The order, by somebody without an account.
  const page = await withoutFonts(await window({ ...phone, serviceWorkers: 'allow' }));
  await page.context().grantPermissions(['notifications']);
  const browser = await subscribeAt(push, page);
  const id = await guestOrder(page, email);
  const placed = await mailAbout('Your order');
  expect(placed.text).toContain(`${shop.url}/orders/${id}`);
  // Nobody has shown yet that the address is theirs, so the mail names nobody.
  expect(placed.html).not.toContain('Grace Hopper');

  // Only now they are asked whether they want to be notified.
  const card = page.locator('[data-push]');
  await card.getByRole('button', { name: 'Notify me' }).click();
  await expect(card).toContainText('Notifications are on');
  await moveOrder(shop, { id }, 'accept', { minutes: 25 });
  expect((await mailAbout('has accepted your order')).text).toMatch(/Ready \d\d:\d\d/);
  await expect.poll(() => browser().received.length).toBe(1);
  expect(push.wrong).toEqual([]);
  const accepted = browser().received[0]?.data ?? {};
  expect(accepted).toMatchObject({ url: `/orders/${id}`, body: expect.stringContaining('Accepted') });
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  const deliver = await deliverTo(page);
  await deliver(accepted);
  await expect.poll(() => shownNotifications(page)).toMatchObject([{ body: accepted['body'], url: `/orders/${id}` }]);
  await page.goto('/menu');
  expect(await tapNotification(page, accepted['tag'] ?? '')).toEqual([`open /orders/${id}`, 0]);

  // The account, by one tap on the order's page and the link in the mail.
  await page.goto(`/orders/${id}`);
  await page.getByRole('button', { name: 'Email me a link' }).click();
  await expect(page.getByText(`We have sent a link to ${email}.`)).toBeVisible();
  const link = /\S+\/account-link#token=\S+/.exec((await mailAbout('Your account at')).text)?.[0] ?? '';
  await page.goto(link);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Save and sign in' }).click();
  await page.waitForURL('/customer/orders');
  await expect(page.locator(`a[href="/orders/${id}"]`).first()).toBeVisible();

  // A forgotten password: the form is there where the shop sends mail.
  await page.evaluate(() => localStorage.removeItem('token'));
  await page.goto('/forgot-password');
  await page.getByRole('button', { name: 'Send me a link' }).click();
  await expect(page.getByText('Enter your email address.').first()).toBeVisible();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send me a link' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  expect((await mailAbout('Choose another password')).text).toContain('/reset-password#token=');

  // Later, on another device, with Google: both sides have confirmed the address.
  const elsewhere = await withoutFonts(await window());
  await elsewhere.goto('/login');
  await elsewhere.getByRole('button', { name: 'Continue with Google' }).click();
  await signInThere(elsewhere, person(google, { email, name: 'Grace Hopper' }));
  await elsewhere.waitForURL('/');
  await elsewhere.goto('/customer/orders');
  await expect(elsewhere.locator(`a[href="/orders/${id}"]`).first()).toBeVisible();
  expect((await mailAbout('Google now signs you in')).text).toContain('/customer/profile');
  const { text } = await mailAbout('A new device signed in');
  expect(text).toMatch(/Device: \w+, Linux/);

  // The food is ready, and handed over.
  await moveOrder(shop, { id }, 'packed');
  expect((await mailAbout('is ready')).html).toContain('You can collect it now');
  await expect.poll(() => browser().received.at(-1)?.data['body']).toBe('Ready to collect.');
  await moveOrder(shop, { id }, 'collected-by-customer');
  await shop.wait(3);
  expect((await mailAbout('Your receipt')).text).toContain('This is your receipt.');

  // The owner sees which mail reached whom.
  const office = await openOffice(shop, await window(), `/admin/mail?search=${encodeURIComponent(email)}`);
  const kinds = [
    'Order placed',
    'Order accepted',
    'Account from an order',
    'Way to sign in added',
    'New device',
    'Ready to collect',
    'Receipt',
    'Password reset',
  ];
  await expect(office.getByRole('row').filter({ hasText: email })).toHaveCount(kinds.length);
  for (const kind of kinds) {
    const row = office.getByRole('row').filter({ hasText: email }).filter({ hasText: kind });
    await expect(row.first().getByText('Sent', { exact: true })).toBeVisible();
  }
  await expectAccessible(office, 'the list of mails');
  await office.getByRole('row').filter({ hasText: 'Order accepted' }).getByRole('button').first().click();
  const sheet = office.getByRole('dialog');
  await expect(sheet.getByText(`Grace Hopper <${email}>`)).toBeVisible();
  await expect(
    sheet.frameLocator('iframe').getByText('Coalfinch has accepted your order.', { exact: true }),
  ).toBeVisible();
  await expectAccessible(office, 'one mail');
});
