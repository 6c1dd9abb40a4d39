import type { Page } from '@playwright/test';
import { startEscPosPrinter } from '#simulators/printers/escpos-wire.ts';
import type { LocalStripe } from '#simulators/stripe/local-stripe.ts';
import { startMailServer } from '#testing/mail-server.ts';
import type { Shop } from '#testing/running-shop.ts';
import { rightsBut } from './card-shop.ts';
import { type PersonCount, TapCounter } from './count-taps.ts';
import { codeOf } from './factors.ts';
import { expect } from './shop.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name });

/** Does the things that the end of the set-up offers next. Each has its own count, within the minutes that the page names. */
export async function countNext(
  shop: Shop,
  page: Page,
  stripe: LocalStripe,
  before: TapCounter,
): Promise<Record<string, PersonCount>> {
  const counted: Record<string, PersonCount> = {};
  const counting = async (step: string, name: string, work: (count: TapCounter) => Promise<void>): Promise<void> => {
    await page.goto(`/admin/set-up?step=${step}`);
    const count = new TapCounter(before);
    const row = page.getByRole('listitem').filter({ hasText: name });
    const minutes = Number(/about (\d+) minutes/.exec(await row.innerText())?.[1]);
    await count.tap(row.getByRole('link', { name }));
    await work(count);
    await count.look(page);
    counted[name] = count.count;
    expect(count.count.minutes, name).toBeLessThanOrEqual(minutes);
  };
  await counting('paper', 'Set up a printer', (count) => addPrinter(page, count));
  await counting('go_live', 'Take cards', (count) => connectCards(page, stripe, count));
  await counting('go_live', 'A second step for your own sign-in', (count) => addSecondFactor(page, count));
  await counting('go_live', 'Send emails to customers', (count) => connectMailServer(shop, page, count));
  await page.goto('/admin/set-up?step=go_live');
  await expect(page.getByRole('link', { name: 'Your logo and colour' })).toBeVisible();
  for (const name of Object.keys(counted)) await expect(page.getByRole('link', { name })).toHaveCount(0);
  return counted;
}

/** Stripe's own page, on which the key is made, is one tap here. */
async function connectCards(page: Page, stripe: LocalStripe, count: TapCounter): Promise<void> {
  const made = page.waitForEvent('popup');
  await count.tap(page.getByRole('link', { name: 'Make a key at Stripe' }));
  await (await made).close();
  await count.fill(page.getByLabel('Your restricted key'), stripe.control.keys.create({ rights: rightsBut() }));
  await count.tap(button(page, 'Check the key'));
  await count.tap(button(page, 'Use this key in test mode'));
  await count.tap(button(page, 'Pay £0.30 in test mode'));
  await expect(page.getByText('£0.30 was paid and refunded')).toBeVisible();
  await expect(page.getByText('They arrive.')).toBeVisible();
  await count.tap(button(page, 'Offer cards to customers'));
  await expect(page.getByText(/can pay by card for collection/)).toBeVisible();
}

async function addPrinter(page: Page, count: TapCounter): Promise<void> {
  const printer = await startEscPosPrinter({ brand: 'Epson' });
  try {
    await count.tap(page.getByRole('link', { name: 'Add a printer' }).first());
    await count.tap(button(page, 'Choose: Network printer, by its address'));
    await count.fill(page.getByLabel('Name'), 'Kitchen');
    await count.fill(page.getByLabel('Printer’s address'), `127.0.0.1:${printer.port}`);
    await count.tap(page.getByLabel('The server may connect to this address on its own network'));
    await count.tap(button(page, 'Add a printer'));
    await count.tap(button(page, 'Print test page'));
    await expect(page.getByText('The printer says that it printed')).toBeVisible();
    expect(printer.papers).toHaveLength(1);
    await count.tap(button(page, 'The letters are right'));
  } finally {
    await printer.stop();
  }
}

/** A scan with the phone's app is one tap. */
async function addSecondFactor(page: Page, count: TapCounter): Promise<void> {
  const app = page.getByRole('region', { name: 'Authenticator app' });
  await count.tap(app.getByRole('button', { name: 'Set up an authenticator app' }));
  await count.tap(app.getByRole('img', { name: /QR code/ }));
  const secret = await app.getByText(/^([A-Z2-7]{4} ?){8}$/).textContent();
  await count.fill(app.getByLabel('Code from the app'), codeOf(secret ?? ''));
  await count.tap(app.getByRole('button', { name: 'Switch it on' }));
  await count.tap(button(page, 'I have kept them'));
}

/** The person at the shop's computer types the setting and restarts the shop (docs/install-at-home.md). */
async function connectMailServer(shop: Shop, page: Page, count: TapCounter): Promise<void> {
  const server = await startMailServer();
  try {
    await count.look(page);
    // The editor, the setting, the restart and the look at its state.
    count.typeElsewhere(4);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await shop.restart('SIGTERM', { SMTP_URL: server.url });
    await page.reload();
    await count.tap(page.getByText('How they look'));
    await count.tap(button(page, 'Send it to me'));
    await expect(page.getByText('Sent to nonna@example.com.')).toBeVisible();
    expect(server.received.map(({ to }) => to)).toEqual([['nonna@example.com']]);
  } finally {
    await server.stop();
  }
}

/** The address of the shop that is on the internet. */
export const publicUrl = 'https://nonna.example';

/** As if the shop's computer were in a home's network, and not in that of the tests. */
export async function inHomeNetwork(page: Page): Promise<void> {
  await page.route('**/first-evening', async (route) => {
    if (route.request().method() !== 'GET') return route.continue();
    const response = await route.fetch();
    const { data } = (await response.json()) as { data: object };
    return route.fulfill({ response, json: { data: { ...data, local_addresses: ['192.168.1.20'] } } });
  });
}

/** A shop on the internet gives the links for its profiles; in a home's network it says how it gets an address there. */
export async function readAddresses(page: Page, shopUrl: string, isPublic: boolean): Promise<void> {
  const links = {
    'Google: your business profile': '/menu',
    'Instagram: your profile': '/',
    'Facebook: your page': '/menu',
  };
  const { port } = new URL(shopUrl);
  const address = isPublic ? `${publicUrl}/` : `http://192.168.1.20:${port}/`;
  await expect(page.getByRole('img', { name: `QR code of ${address}` })).toBeVisible();
  await expect(page.getByRole('link', { name: address })).toHaveAttribute('href', address);
  const plainHttp = page.getByText('Without https there are no notifications, no passkeys and no camera.');
  await expect(plainHttp).toHaveCount(isPublic ? 0 : 1);
  await expect(page.getByRole('alert').filter({ hasText: 'a name such as pizza.example' })).toHaveCount(
    isPublic ? 0 : 1,
  );
  for (const [label, path] of Object.entries(links)) {
    const field = page.getByRole('textbox', { name: label });
    await expect(field).toHaveCount(isPublic ? 1 : 0);
    if (isPublic) await expect(field).toHaveValue(publicUrl + path);
  }
}
