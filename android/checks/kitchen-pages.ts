import type { Browser } from '@playwright/test';
import { fits, storedTexts } from './in-page.ts';
import {
  openPhone,
  withTimeout,
  type Phone,
  type PhoneOptions,
  phoneSize,
  tabletSize,
  until,
  uprightTablet,
} from './phone.ts';
import { answerAll, type Shop } from './shop.ts';
import type { Tally } from './tally.ts';

/** What the kitchen's app does, both ways up: set-up by a code, the board, its alarm, the tablet's state, and its end. */
export async function checkKitchenPages(
  tally: Tally,
  browser: Browser,
  options: Omit<PhoneOptions, 'width' | 'height'>,
  shop: Shop,
): Promise<void> {
  for (const size of [tabletSize, uprightTablet, phoneSize]) {
    const name = `${size.width} by ${size.height}`;
    const tablet = await openPhone(browser, { ...options, ...size });
    await checkSetUp(tally, tablet, shop, name);
    if (size === tabletSize) {
      await checkState(tally, tablet);
      await checkLocked(tally, tablet);
    }
    await checkAlarm(tally, tablet, shop, name);
    await checkEnd(tally, tablet);
    tally.equal('no page error', tablet.faults, []);
    await tablet.context.close();
  }
}

async function checkSetUp(tally: Tally, { page, sent }: Phone, shop: Shop, size: string): Promise<void> {
  const address = 'https://shop.example.com';
  await page.locator('[data-set-up]').waitFor(withTimeout);
  tally.check(`the set-up fits ${size}`, await fits(page));
  const [shopField, codeField] = [page.locator('input[name="shop"]'), page.locator('input[name="code"]')];
  const submit = page.locator('form button[type="submit"]');
  await shopField.fill('not a shop');
  await codeField.fill('12');
  await submit.click();
  await page.getByRole('alert').waitFor(withTimeout);
  tally.check('a wrong code is said to be one', true);
  const code = await shop.makeCode('Wall');
  await shopField.fill(new URL(address).host);
  await codeField.fill(code);
  await submit.click();
  await page.locator('[data-face="wall"][data-ready]').waitFor(withTimeout);
  tally.check('the tablet is signed in and shows the board', true);
  await until(() => sent.some(({ type, awake }) => type === 'screen' && awake === true));
  tally.check(
    'the app keeps the screen on',
    sent.some(({ type, awake }) => type === 'screen' && awake === true),
  );
  tally.equal('and nobody is warned of a dark one', await page.getByText(/screen may go dark/).count(), 0);
  const on = sent.find(({ type }) => type === 'board_on');
  tally.check('the app is told what to listen to', on?.['store'] === shop.storeId && on?.['shop'] === address, on);
  const token = sent.find(({ type, name }) => type === 'write' && name === 'token')?.['value'];
  tally.check('the token is in the app', Boolean(token));
  tally.check('and not in the page', !(await page.evaluate(storedTexts)).includes(String(token)));
  tally.check(`the board fits ${size}`, await fits(page));
}

async function checkState(tally: Tally, { page, sent, tell, setState }: Phone): Promise<void> {
  const state = page.locator('[data-faults]');
  await state.waitFor(withTimeout);
  tally.check("the tablet's battery is shown", (await state.textContent())?.includes('80') === true);
  await setState({ battery: 9, is_charging: false });
  await tell('state');
  await page.locator('[data-faults] [data-bad]').first().waitFor(withTimeout);
  tally.check('an empty battery is marked', true);
  await state.click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Keep it awake' }).click(withTimeout);
  tally.check(
    'the battery exemption is asked for',
    sent.some(({ type }) => type === 'ask_battery'),
  );
  const ready = { phase: 'ready', percent: 100, problem: '', needs_permission: true, version: '3.10.19' };
  await setState({ update: ready });
  await tell('update', ready);
  await dialog.getByRole('img', { name: /Allow/ }).waitFor(withTimeout);
  tally.check("Android's permission is explained with a picture", true);
  await dialog.getByRole('button', { name: 'Allow it' }).click(withTimeout);
  tally.check(
    'and asked for',
    sent.some(({ type, action }) => type === 'update' && action === 'install'),
  );
  await setState({ update: { ...ready, phase: 'none', needs_permission: false } });
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached', ...withTimeout });
}

/** Of a tablet that its owner has locked. */
async function checkLocked(tally: Tally, { page, sent, tell, setState }: Phone): Promise<void> {
  await setState({ battery: 80, is_charging: true, is_owner: true, is_locked: true });
  await tell('state');
  await page.locator('[data-faults]').click();
  const dialog = page.getByRole('dialog');
  const button = dialog.getByRole('button', { name: 'Sign this tablet out' });
  await button.waitFor(withTimeout);
  tally.check('a locked tablet is not signed out without the PIN', await button.isDisabled());
  const pin = dialog.getByLabel('PIN to sign out');
  await pin.fill('1357');
  await button.click();
  await dialog.getByText('That is not the PIN').waitFor(withTimeout);
  tally.equal(
    'nor by a wrong one',
    sent.filter(({ type }) => type === 'sign_out').map((said) => said['pin']),
    ['1357'],
  );
  tally.check('and its board stays', (await page.locator('[data-face="wall"]').count()) === 1);
  await setState({ is_owner: false, is_locked: false });
  await tell('state');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached', ...withTimeout });
}

/** A real order rings until it is answered. */
async function checkAlarm(tally: Tally, { page, sent }: Phone, shop: Shop, size: string): Promise<void> {
  const gains = () => sent.filter(({ type }) => type === 'alarm').map(({ gain }) => Number(gain));
  tally.check(
    'nothing rings before an order',
    gains().every((gain) => gain === 0),
    gains(),
  );
  const { status, body } = await shop.api('POST', '/v1/orders', await shop.basket());
  tally.equal('a guest orders', status, 201);
  const { id } = body['data'] as { id: string };
  await page.locator('[data-alarm="ringing"]').waitFor(withTimeout);
  await page.locator(`[aria-labelledby="ticket-${id}"]`).waitFor(withTimeout);
  await until(() => gains().some((gain) => gain > 0));
  tally.check(
    `a real order rings at the volume of alarms, at ${size}`,
    gains().some((gain) => gain > 0),
    gains(),
  );
  tally.check('the board fits while it rings', await fits(page));
  await answerAll(shop);
  await page.locator('[data-alarm="ringing"]').waitFor({ state: 'detached', ...withTimeout });
  await until(() => gains().at(-1) === 0);
  tally.equal('and is silent once it is answered', gains().at(-1), 0);
}

async function checkEnd(tally: Tally, { page, sent, tell }: Phone): Promise<void> {
  await tell('revoked');
  await page.locator('[data-set-up]').waitFor(withTimeout);
  tally.check('a tablet that was signed out shows no order', (await page.locator('[data-face]').count()) === 0);
  tally.check(
    'and the service ends',
    sent.some(({ type }) => type === 'sign_out'),
  );
}
