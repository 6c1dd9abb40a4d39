import type { Browser, Page } from '@playwright/test';
import {
  beOffline,
  beOnline,
  fits,
  foreignScriptFails,
  frameIsEmpty,
  isKept,
  isSecure,
  pictureLoads,
  tryBridge,
} from './in-page.ts';
import { type Network, origin, pageKey } from './network.ts';
import { openPhone, withTimeout, type Phone, type PhoneOptions, phoneSize, tabletSize, until } from './phone.ts';
import type { Tally } from './tally.ts';

/** What the pages of the customers' app do, on a phone and on a tablet: start, deep links, back, update, offline. */
export async function checkCustomerPages(
  tally: Tally,
  browser: Browser,
  network: Network,
  options: Omit<PhoneOptions, 'width' | 'height'>,
): Promise<void> {
  for (const size of [phoneSize, tabletSize]) {
    const phone = await openPhone(browser, { ...options, ...size });
    await checkStart(tally, phone, `${size.width} by ${size.height}`);
    await checkLinks(tally, phone);
    await checkUpdate(tally, phone);
    await checkOffline(tally, phone, network);
    tally.equal('no page error', phone.faults, []);
    await checkStrangers(tally, phone);
    await phone.context.close();
  }
}

async function checkStart(tally: Tally, { page, sent }: Phone, size: string): Promise<void> {
  await menuOf(page).waitFor(withTimeout);
  tally.check(
    'the page says that it runs',
    sent.some(({ type }) => type === 'ready'),
  );
  tally.check(`it is as wide as its screen of ${size}`, await fits(page));
  tally.check('its origin is secure', await page.evaluate(isSecure));
  tally.check('it has pictures of the shop', await page.evaluate(pictureLoads, '/app-icon/192.png'));
  tally.check('the key is not left in the page', !(await page.content()).includes(pageKey));
}

async function checkLinks(tally: Tally, { page, tell, sent }: Phone): Promise<void> {
  await tell('navigate', { path: '/orders/00000000-0000-4000-8000-000000000000' });
  await page.waitForURL('**/orders/00000000-*', withTimeout);
  tally.check('a link from outside opens its page', true);
  await page.goBack();
  await page.waitForURL('**/menu', withTimeout);
  tally.check('Back leads to the page before', page.url() === `${origin}/menu`);
  for (const path of ['/admin/stores', '/kitchen', '//evil.example/', 'https://evil.example/', '/orders/../admin', 7]) {
    await tell('navigate', { path } as object);
    tally.check(`${path} is not opened`, page.url() === `${origin}/menu`, page.url());
  }
  await tell('navigate', { path: '/auth/callback?app_code=wrong' });
  await page.waitForURL('**/login', withTimeout);
  const said = page.getByRole('alert').or(page.getByRole('status')).filter({ hasText: /\w/ });
  await said.first().waitFor(withTimeout);
  tally.check('a sign-in with a wrong code is said to have failed', (await said.count()) > 0);
  tally.check(
    'and nobody is signed in',
    !sent.some(({ type, name, value }) => type === 'write' && name === 'token' && Boolean(value)),
  );
  await page.goto(`${origin}/menu`);
  await menuOf(page).waitFor(withTimeout);
}

async function checkUpdate(tally: Tally, { page, tell, setState, sent }: Phone): Promise<void> {
  const offer = { percent: 0, problem: '', needs_permission: true, version: '3.10.19', size: 1_000_000, notes: '' };
  const show = async (update: object) => {
    await setState({ update: { ...offer, ...update } });
    await tell('update', { ...offer, ...update });
  };
  await show({ phase: 'offered' });
  const band = page.locator('[data-update]');
  await band.getByRole('button').first().click(withTimeout);
  tally.check(
    'the download is agreed to',
    sent.some(({ type, action }) => type === 'update' && action === 'download'),
  );
  await show({ phase: 'downloading', percent: 40 });
  await page.locator('[data-update="downloading"] progress[value="40"]').waitFor(withTimeout);
  tally.check('its progress is shown', true);
  await show({ phase: 'ready' });
  await page.locator('[data-update="ready"] svg').waitFor(withTimeout);
  tally.check("Android's permission is explained with a picture", true);
  await band.getByRole('button').first().click(withTimeout);
  tally.check(
    'the installation is begun',
    sent.some(({ type, action }) => type === 'update' && action === 'install'),
  );
  await show({ phase: 'failed', problem: 'refused: another signer' });
  await page.locator('[data-update="failed"]').waitFor(withTimeout);
  tally.check('a refused file is said to be one', (await band.textContent())?.includes('deleted') === true);
  await show({ phase: 'none' });
  await band.waitFor({ state: 'detached', ...withTimeout });
}

/** Frames and pages from elsewhere find a bridge in a WebView, but no key, and there are no frames. */
async function checkStrangers(tally: Tally, { page }: Phone): Promise<void> {
  const answers = await page.evaluate(tryBridge);
  tally.equal('the bridge answers nobody without the key', answers, ['no key', 'no key', 'no key']);
  tally.check('no frame is loaded', await page.evaluate(frameIsEmpty));
  tally.check('no script of another origin runs', await page.evaluate(foreignScriptFails));
}

async function checkOffline(tally: Tally, { page, context }: Phone, network: Network): Promise<void> {
  await until(() => page.evaluate(isKept));
  // As when the person has closed the app and opens it again without a network. Its files need none.
  network.setReachable(false);
  await context.addInitScript(beOffline);
  await page.goto(`${origin}/menu`);
  await menuOf(page).waitFor(withTimeout);
  tally.check('without a network the menu last seen is shown', (await page.locator('main').getByText(/£/).count()) > 5);
  const banner = page.locator('.connection-banner');
  await banner.getByText(/as you last saw it/).waitFor(withTimeout);
  tally.check('and said to be one', true);
  tally.check('it fits with the banner', await fits(page));
  network.setReachable(true);
  await page.evaluate(beOnline);
  await page.reload();
  await menuOf(page).waitFor(withTimeout);
  await banner.waitFor({ state: 'detached', ...withTimeout });
  tally.check('the banner goes when the network is back', true);
}

export const menuOf = (page: Page) => page.locator('main').getByText(/£/).first();
