import { chromium, type Browser, type Page } from '@playwright/test';
import { openShop, type Shop } from '#testing/running-shop.ts';
import { openBoard } from '../e2e/board.ts';
import { openOffice } from '../e2e/office.ts';
import { moveOrder, plainDishes, sendOrder } from '../e2e/orders.ts';
import { addDish, burger, fillCollection, goToCheckout, placeOrder } from '../e2e/storefront.ts';
import { findChromium } from './find-chromium.ts';

/** Takes the README's pictures, from a demo shop during a busy evening: `npm run make -- screenshots` */
const folder = 'docs/screenshots';
const phone = { viewport: { width: 390, height: 780 }, deviceScaleFactor: 1.5, hasTouch: true };
const desktop = { viewport: { width: 1280, height: 800 } };

const shop = await openShop();
const browser = await chromium.launch({
  executablePath: findChromium(console.log),
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
});
try {
  await takeCustomersWay(await open(browser, shop, phone));
  const wide = await open(browser, shop, desktop);
  await wide.goto('/menu');
  await take(wide, 'menu-desktop');
  await takeOffice(browser, shop);
} finally {
  await browser.close();
  await shop.stop();
}

async function takeCustomersWay(page: Page): Promise<void> {
  await page.goto('/');
  await take(page, 'home-phone');
  await page.goto('/menu');
  await take(page, 'menu-phone');
  await page
    .getByRole('link', { name: new RegExp(`^${burger}`) })
    .first()
    .click();
  await page.getByRole('dialog', { name: burger }).waitFor();
  await take(page, 'item-phone');
  await page.goBack();
  await addDish(page);
  await addDish(page, 'Skin-on chips');
  await page.getByRole('button', { name: /View basket/ }).click();
  await page.getByRole('dialog').waitFor();
  await take(page, 'basket-phone');
  await page.goBack();
  await goToCheckout(page);
  await take(page, 'checkout-phone');
  await fillCollection(page);
  const id = await placeOrder(page);
  await moveOrder(shop, { id }, 'accept', { minutes: 20 });
  await page.getByRole('heading', { name: /The kitchen is cooking/ }).waitFor();
  await take(page, 'order-phone');
}

async function takeOffice(on: Browser, of: Shop): Promise<void> {
  const people = ['Priya Shah', 'Tom Okafor', 'Megan Lewis', 'Ali Rahman', 'Sofia Rossi'];
  const notes = [{}, { allergy_note: 'Severe peanut allergy' }, { note: 'Please cut it in four' }, {}, {}];
  const dishes = await plainDishes(of);
  for (const [index, name] of people.entries()) {
    const contact = { name, phone: `07700 90012${index}` };
    const lines = [1, 2].map((nth) => ({ item_id: dishes[(index * 2 + nth) % dishes.length], quantity: nth }));
    const order = await sendOrder(of, { contact, lines, ...notes[index] });
    if (index > 1) await moveOrder(of, order, 'accept', { minutes: 10 + 5 * index });
    if (index > 3) await moveOrder(of, order, 'packed');
  }
  await take(await openBoard(of, await open(on, of, desktop)), 'board-desktop');
  const owner = await openOffice(of, await open(on, of, desktop), '/admin/menuEditor');
  await owner.getByText('Burgers').first().click();
  await owner.keyboard.press('ArrowRight');
  await take(owner, 'menu-editor-desktop');
  const hours = ['Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'].flatMap((day) => [
    { day, open: '12:00', close: '14:30' },
    { day, open: '17:00', close: day === 'Friday' || day === 'Saturday' ? '01:00' : '23:00' },
  ]);
  await of.api('PATCH', `/v1/stores/${of.storeId}`, { operational_hours: hours }, of.adminToken);
  await owner.goto('/store/manage?section=hours');
  await take(owner, 'settings-desktop');
}

async function open(on: Browser, of: Shop, screen: Parameters<Browser['newContext']>[0]): Promise<Page> {
  const context = await on.newContext({
    baseURL: of.url,
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    reducedMotion: 'reduce',
    ...screen,
  });
  return context.newPage();
}

async function take(page: Page, name: string): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: `${folder}/${name}.jpg`, type: 'jpeg', quality: 82 });
  console.log(`${folder}/${name}.jpg`);
}
