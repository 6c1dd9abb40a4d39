import { afterAll, expect, test } from 'vitest';
import { readConfig } from '#config.ts';
import { aMenu, anItem, aStore } from '#ordering/testing/samples.ts';
import { createPageHtml, type PageShop, type WantedPage } from '#storefront/server/page-html.ts';
import { startPageThread } from '#storefront/server/page-thread.ts';

const config = readConfig({ APP_URL: 'https://oven.example' });
const signIn = () => [{ id: 'environment', kind: 'other' as const, name: 'Example ID' }];
const thread = startPageThread(config, 'key', signIn);
afterAll(() => thread.stop());

const shop: PageShop = {
  store: aStore({ name: 'The Oven' }),
  menus: [aMenu([anItem('soup', { name: 'Soup of the day', price: 450 })])],
  version: 7,
};
const wanted = (language: 'en' | 'pl'): WantedPage => ({
  path: '/menu',
  wish: { language, isChosen: false },
  at: new Date('2026-11-21T19:00:00Z'),
});

test('pages are what this thread would have written, in each language', async () => {
  const here = await createPageHtml(config, 'key', signIn);
  const [english, polish] = await Promise.all([thread.write(shop, wanted('en')), thread.write(shop, wanted('pl'))]);
  expect(english).toContain('Soup of the day');
  expect(english).toContain('Example ID');
  expect(english).toBe(here.shopPage(shop, wanted('en')));
  expect(polish).toContain('<html lang="pl">');
  expect(polish).toBe(here.shopPage(shop, wanted('pl')));
});

test('a page that cannot be written says so, and the next one is', async () => {
  const broken = { ...shop, menus: [null] } as unknown as PageShop;
  await expect(thread.write(broken, wanted('en'))).rejects.toThrow(/null/);
  expect(await thread.write(shop, wanted('en'))).toContain('Soup of the day');
});

test('what is asked for when the thread ends is refused, and a later page starts it again', async () => {
  const asked = thread.write(shop, wanted('en')).catch((error: Error) => error.message);
  await thread.stop();
  expect(await asked).toContain('closing down');
  expect(await thread.write(shop, wanted('en'))).toContain('Soup of the day');
});
