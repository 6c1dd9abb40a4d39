import type { Page } from '@playwright/test';
import type { Parameters } from '../build/parameters.ts';
import { fits, storedTexts } from './in-page.ts';
import { openBrowser, withTimeout, phoneSize, tabletSize } from './pages.ts';
import { openPhone, type Phone } from './phone.ts';
import type { Shop } from './shop.ts';
import type { Tally } from './tally.ts';

/** What the kitchen's app does: set-up by a code, the board, its alarm, the tablet's state, and its end. */
export async function checkKitchenPages(tally: Tally, www: string, shop: Shop, parameters: Parameters): Promise<void> {
  const browser = await openBrowser();
  try {
    const options = {
      www,
      app: 'kitchen',
      address: parameters.address,
      server: shop.url,
      version: parameters.version,
    } as const;
    for (const size of [phoneSize, tabletSize, { width: 800, height: 1280 }]) {
      const tablet = await openPhone(browser, { ...options, ...size });
      await tablet.page.locator('[data-set-up]').waitFor(withTimeout);
      tally.check(`the set-up fits ${size.width} by ${size.height}`, await fits(tablet.page));
      if (size === tabletSize) await checkSetUp(tally, tablet, shop, parameters);
      tally.equal('no page error', tablet.faults, []);
      await tablet.context.close();
    }
  } finally {
    await browser.close();
  }
}

async function checkSetUp(
  tally: Tally,
  { page, sent, tell, setState }: Phone,
  shop: Shop,
  { address }: Parameters,
): Promise<void> {
  const [shopField, codeField] = [page.locator('input[name="shop"]'), page.locator('input[name="code"]')];
  const submit = page.locator('form button[type="submit"]');
  await shopField.fill('not a shop');
  await codeField.fill('12');
  await submit.click();
  await page.getByRole('alert').waitFor(withTimeout);
  tally.check('a wrong code is said to be one', true);
  const stores = await shop.call('GET', '/v1/stores');
  const [store] = Object.values(stores.data) as { id: string }[];
  const made = await shop.call('POST', '/v1/devices/codes', { store_id: store?.id, name: 'Wall' });
  const code = String(made.data['code'] ?? '');
  tally.check('the office makes a code', made.status === 201 && code !== '', made);
  await shopField.fill(new URL(address).host);
  await codeField.fill(code);
  await submit.click();
  await page.locator('[data-face="wall"][data-ready]').waitFor(withTimeout);
  tally.check('the tablet is signed in and shows the board', true);
  const on = sent.find(({ type }) => type === 'board_on');
  tally.check('the app is told what to listen to', on?.['store'] === store?.id && on?.['shop'] === address, on);
  tally.check(
    'the token is in the app',
    sent.some(({ type, name, value }) => type === 'write' && name === 'token' && Boolean(value)),
  );
  tally.check(
    'and not in the page',
    !(await page.evaluate(storedTexts)).includes(String(sent.find(({ name }) => name === 'token')?.['value'])),
  );
  tally.check('the board fits', await fits(page));
  await page.locator('[data-faults]').waitFor(withTimeout);
  tally.check(
    "the tablet's battery is shown",
    (await page.locator('[data-faults]').textContent())?.includes('80') === true,
  );
  await setState({ battery: 9, is_charging: false });
  await tell('state');
  await page.locator('[data-faults] [data-bad]').first().waitFor(withTimeout);
  tally.check('an empty battery is marked', true);
  await page.locator('[data-faults]').click();
  await page.getByRole('dialog').waitFor(withTimeout);
  await page.getByRole('dialog').getByRole('button', { name: 'Keep it awake' }).click(withTimeout);
  tally.check(
    'the battery exemption is asked for',
    sent.some(({ type }) => type === 'ask_battery'),
  );
  await page.keyboard.press('Escape');
  await checkAlarm(tally, page, sent, shop);
  await tell('revoked');
  await page.locator('[data-set-up]').waitFor(withTimeout);
  tally.check('a tablet that was signed out shows no order', (await page.locator('[data-face]').count()) === 0);
  tally.check(
    'and the service ends',
    sent.some(({ type }) => type === 'board_off'),
  );
}

async function checkAlarm(tally: Tally, page: Page, sent: Phone['sent'], shop: Shop): Promise<void> {
  const { data: before } = await shop.call('GET', '/v1/orders?status=placed&per_page=1');
  if (!Object.values(before).length) tally.check('the demo shop has an order that waits', false);
  await page.locator('[data-alarm="ringing"]').waitFor(withTimeout);
  for (let count = 0; count < 100 && !sent.some(({ type }) => type === 'alarm'); count += 1)
    await page.waitForTimeout(200);
  const rung = sent.find(({ type, gain }) => type === 'alarm' && Number(gain) > 0);
  tally.check('the app rings at the volume of alarms', rung !== undefined, sent.slice(-5));
}
