import { randomUUID } from 'node:crypto';
import type { Browser, Page } from '@playwright/test';
import { hide, storedTexts } from './in-page.ts';
import { origin } from './network.ts';
import {
  contextOptions,
  openPhone,
  withTimeout,
  type Phone,
  type PhoneOptions,
  phoneSize,
  type Sent,
  until,
} from './phone.ts';
import type { Shop } from './shop.ts';
import type { Tally } from './tally.ts';

type Options = Omit<PhoneOptions, 'width' | 'height'>;

/** What leaves the app for a Custom Tab and comes back: a sign-in and a payment, with the real pages of both sides. */
export async function checkRoundTrips(tally: Tally, browser: Browser, options: Options, shop: Shop): Promise<void> {
  const phone = await openPhone(browser, { ...options, ...phoneSize });
  await checkSignIn(tally, browser, phone, shop);
  tally.equal('no page error', phone.faults, []);
  await phone.context.close();
  const guest = await openPhone(browser, { ...options, ...phoneSize });
  await checkPayment(tally, browser, guest, shop);
  tally.equal('no page error of a guest', guest.faults, []);
  await guest.context.close();
}

/** The browser in which Android opens a Custom Tab: it shares nothing with the app. */
async function openTab(browser: Browser, url: string): Promise<Page> {
  const context = await browser.newContext({ ...contextOptions, viewport: phoneSize, isMobile: true });
  // The provider's pages load a font from elsewhere.
  await context.route(/googleapis/, (route) => route.abort());
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

/** The address that Android gives to the app when the button is tapped: only the app of this package may get it. */
async function linkBack(page: Page): Promise<{ path: string; package: string }> {
  const button = page.getByRole('link', { name: 'Back to the app' });
  await button.waitFor(withTimeout);
  const href = (await button.getAttribute('href')) ?? '';
  const [, path, scheme, name] = /^intent:\/\/([^#]+)#Intent;scheme=([^;]+);package=([^;]+);end$/.exec(href) ?? [];
  return { path: `/${path ?? ''}`, package: scheme === name ? String(name) : '' };
}

const isToken = ({ type, name, value }: Sent) => type === 'write' && name === 'token' && Boolean(value);
const failureIn = (page: Page) => page.locator('#notices').getByText(/took too long/);
const opened = (sent: readonly Sent[]) => String(sent.findLast(({ type }) => type === 'open')?.['url'] ?? '');

async function checkSignIn(tally: Tally, browser: Browser, { page, sent, tell }: Phone, { provider }: Shop) {
  const login = randomUUID();
  provider.accounts[login] = { email: 'ada@example.com', email_verified: true, name: 'Ada Byron' };
  const token = () => sent.findLast(isToken)?.['value'];
  await page.goto(`${origin}/login`);
  await page.getByRole('button', { name: /^Continue with/ }).click(withTimeout);
  await until(() => opened(sent) !== '');
  const asked = new URL(opened(sent));
  tally.equal(
    "the sign-in leaves for the shop's own page",
    asked.origin + asked.pathname,
    'https://shop.example.com/app/sign-in',
  );
  tally.check('with an S256 challenge', /^[A-Za-z0-9_-]{43}$/.test(asked.searchParams.get('challenge') ?? ''));
  const tab = await openTab(browser, asked.href);
  await tab.locator('input[name=login]').fill(login, withTimeout);
  await tab.locator('input[name=password]').fill('any');
  await tab.locator('button[type=submit]').click();
  await tab.getByRole('button', { name: 'Continue' }).click(withTimeout);
  const back = await linkBack(tab);
  tally.equal('the button names the published app', back.package, 'app.hatch.customer');
  tally.check('and brings a code', /^\/auth\/callback\?app_code=[\w-]{20,}$/.test(back.path), back.path);
  tally.check('the browser itself is signed in to nothing', !/\d+\|\w{20}/.test(await tab.evaluate(storedTexts)));

  // Somebody who caught the link, and has begun a sign-in of his own.
  const thief = await openPhone(browser, { app: 'customer', address: asked.origin, version: '3.10.18', ...phoneSize });
  await thief.page.goto(`${origin}/login`);
  await thief.page.getByRole('button', { name: /^Continue with/ }).click(withTimeout);
  await until(() => opened(thief.sent) !== '');
  await thief.tell('navigate', { path: back.path });
  await failureIn(thief.page).waitFor(withTimeout);
  tally.equal('another phone cannot use the code', thief.sent.filter(isToken), []);
  await thief.context.close();
  await tell('navigate', { path: back.path });
  await failureIn(page).waitFor(withTimeout);
  tally.equal('which is used up by the attempt', sent.filter(isToken), []);

  await page.goto(`${origin}/login`);
  await page.getByRole('button', { name: /^Continue with/ }).click(withTimeout);
  await until(() => opened(sent) !== asked.href);
  await tab.goto(opened(sent));
  const again = tab.getByRole('button', { name: 'Continue' }).or(tab.getByRole('link', { name: 'Back to the app' }));
  await again.first().waitFor(withTimeout);
  if (await tab.getByRole('button', { name: 'Continue' }).isVisible())
    await tab.getByRole('button', { name: 'Continue' }).click();
  const second = await linkBack(tab);
  await tell('navigate', { path: second.path });
  await page.getByRole('button', { name: 'Account of Ada Byron' }).waitFor(withTimeout);
  tally.check('the app is signed in', Boolean(token()));
  tally.check("the token is in the app's keeping only", !(await page.evaluate(storedTexts)).includes(String(token())));
  tally.check('the address holds no code', !page.url().includes('app_code'), page.url());
  await tab.context().close();
}

async function checkPayment(tally: Tally, browser: Browser, phone: Phone, shop: Shop) {
  const { page, sent, tell } = phone;
  await page
    .getByRole('link', { name: /^Classic cheeseburger/ })
    .first()
    .click(withTimeout);
  const dish = page.getByRole('dialog');
  await dish.getByRole('button', { name: 'Share this dish' }).click(withTimeout);
  await until(() => sent.some(({ type }) => type === 'share'));
  const shared = String(sent.find(({ type }) => type === 'share')?.['url']);
  tally.check(
    "a dish is shared by the shop's own address",
    /^https:\/\/shop\.example\.com\/menu\?item=[0-9a-f-]{36}$/.test(shared),
    shared,
  );
  await dish.getByRole('button', { name: /^Add £/ }).click(withTimeout);
  await dish.waitFor({ state: 'detached', ...withTimeout });
  await page.goto(`${origin}/menu`);
  await page.getByRole('button', { name: /View basket/ }).waitFor(withTimeout);
  tally.check('the basket is there after the app was closed', true);
  await page.getByRole('button', { name: /View basket/ }).click(withTimeout);
  await page.getByRole('link', { name: /^Checkout/ }).click(withTimeout);
  await page.getByRole('radio', { name: /^Collection/ }).check({ force: true, ...withTimeout });
  await page.getByLabel('Name').fill('Grace Hopper');
  await page.getByLabel('Phone').fill('07700 900456');
  await page.getByRole('button', { name: /^How would you like to pay/ }).click(withTimeout);
  await page.getByRole('radio', { name: /^Card/ }).check({ force: true });
  await page.getByRole('button', { name: /^Pay £/ }).click();
  await page.waitForURL(/\/orders\/[0-9a-f-]+$/, withTimeout);
  const id = new URL(page.url()).pathname.split('/')[2] ?? '';
  const read = async () =>
    (await shop.api('GET', `/v1/orders/${id}`, undefined, shop.adminToken)).body['data'] as Record<string, unknown>;
  await until(() => opened(sent) !== '');
  tally.check(
    'the payment opens over the app',
    opened(sent).startsWith('https://shop.example.com/sandbox/pay/'),
    opened(sent),
  );
  tally.equal('the order is of the app', (await read())['channel'], 'app');
  const tab = await openTab(browser, opened(sent));
  await tab.getByRole('button', { name: 'Approve the payment' }).click(withTimeout);
  const back = await linkBack(tab);
  tally.equal('the button leads back to the order', back, {
    path: `/orders/${id}/payment/callback`,
    package: 'app.hatch.customer',
  });
  await tell('navigate', { path: back.path });
  await page.waitForURL(`**/orders/${id}`, withTimeout);
  await page.getByRole('heading', { name: /Waiting for the shop/ }).waitFor(withTimeout);
  tally.check('the app shows the order, which is paid for', (await read())['status'] === 'placed', await read());
  await tab.context().close();
  await checkNotices(tally, phone, shop, id);
}

/** Asked for where it is of use, and only shown while the app is not on the screen. */
async function checkNotices(
  tally: Tally,
  { page, sent, tell, setState }: Phone,
  shop: Shop,
  id: string,
): Promise<void> {
  tally.check('nobody was asked for notifications before', !sent.some(({ type }) => type === 'ask_notifications'));
  await page.locator('[data-push="unasked"]').getByRole('button').click(withTimeout);
  await until(() => sent.some(({ type }) => type === 'ask_notifications'));
  tally.check(
    "the order's page asks for notifications",
    sent.some(({ type }) => type === 'ask_notifications'),
  );
  await setState({ notifications: 'granted' });
  await tell('state');
  await page.locator('[data-push="granted"]').waitFor(withTimeout);
  await page.evaluate(hide);
  await shop.api('POST', `/v1/orders/${id}/accept`, {}, shop.adminToken);
  await until(() => sent.some(({ type }) => type === 'notify'));
  const notice = sent.find(({ type }) => type === 'notify');
  tally.equal('the next step of the order is notified of, and leads to it', notice?.['path'], `/orders/${id}`);
}
