import { expectAccessible } from './accessible.ts';
import { expect, test } from './shop.ts';
import { plainDish } from './orders.ts';
import { addDish, burger, phone } from './storefront.ts';

test('the menu can be read without JavaScript, and has no controls that would not work', async ({ window }) => {
  const page = await window({ javaScriptEnabled: false });
  await page.goto('/menu');
  await expect(page.getByRole('link', { name: new RegExp(`^${burger}`) })).toContainText('£');
  await expect(page.getByRole('searchbox')).toBeHidden();
  await expect(page.getByRole('radio')).toHaveCount(0);
  await expect(page.getByText('Collection', { exact: true })).toBeVisible();
  const dish = page.getByRole('link', { name: new RegExp(`^${burger}`) });
  await page.goto((await dish.getAttribute('href')) ?? '');
  await expect(page.getByRole('region', { name: burger })).toContainText('Contains');
  const box = page.getByRole('link', { name: /^Burger box/ });
  await page.goto('/menu');
  await page.goto((await box.getAttribute('href')) ?? '');
  const linked = page.getByRole('region', { name: 'Burger box' });
  await expect(linked).toContainText(/Contains .*gluten.*Depends on your choice: .*milk/);
  await expect(linked.getByRole('heading', { name: 'Burger', exact: true })).toBeVisible();
  await page.goto('/allergens');
  const row = page.getByRole('row', { name: /^Burger box/ }).first();
  await expect(row.getByRole('cell').filter({ hasText: /^contains/ })).toHaveCount(2);
  await expect(row.getByRole('cell').filter({ hasText: 'depends on your choice' }).first()).toBeVisible();
  await page.goto('/checkout');
  await expect(page.getByRole('heading', { name: 'This page needs JavaScript' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'See the menu' })).toHaveCSS('min-height', '44px');
});

test('a choice that contains what a guest filters out has a warning where the dish is added, also on the smallest phone', async ({
  window,
}) => {
  const page = await window({ viewport: { width: 360, height: 740 }, hasTouch: true });
  await page.goto('/menu?without=milk');
  await page.getByRole('link', { name: /^Burger box/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Burger box' });
  await expect(dialog.getByRole('button', { name: /^Add £/ })).toBeInViewport({ ratio: 1 });
  await expect(dialog.getByRole('status').filter({ hasText: 'wanted to avoid: milk' })).toBeInViewport({ ratio: 1 });
});

test('input from before the scripts loaded stays', async ({ window }) => {
  // The page must log no error at all, and a blocked service worker would log one.
  const page = await window({ ...phone, serviceWorkers: 'allow' });
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() !== 'log') complaints.push(message.text());
  });
  let isLetGo = false;
  await page.route('**/static/assets/*.js', async (route) => {
    await expect.poll(() => isLetGo, { timeout: 20_000 }).toBe(true);
    await route.continue();
  });
  await page.goto('/menu', { waitUntil: 'commit' });
  await page.getByText('Collection', { exact: true }).click();
  await page.getByRole('searchbox').fill('naan');
  isLetGo = true;
  await expect(page.getByRole('status').filter({ hasText: /dish(es)? found/ })).toBeVisible();
  await expect(page.getByRole('searchbox')).toHaveValue('naan');
  await expect(page.getByRole('radio', { name: /Collection/ })).toBeChecked();
  await expect(page).toHaveURL(/q=naan/);
  await page.goto('/menu');
  await expect(page.getByRole('radio', { name: /Collection/ })).toBeChecked();
  expect(complaints).toEqual([]);
});

test('while somebody types the best results show, and all of them after a pause', async ({ window }) => {
  const page = await window(phone);
  await page.goto('/menu');
  await page.getByRole('searchbox').fill('margherita');
  await expect(page.getByRole('heading', { name: 'Search results' })).toBeVisible();
  await page.evaluate(`
    globalThis.shown = [];
    const count = () => shown.push(document.querySelectorAll('#category-found li').length);
    new MutationObserver(count).observe(document.body, { childList: true, subtree: true });
  `);
  await page.getByRole('searchbox').fill('chicken');
  const found = page.getByRole('region', { name: 'Search results' }).getByRole('listitem');
  const words = page.getByRole('status').filter({ hasText: /^\d\d dishes found/ });
  const all = Number.parseInt(await words.innerText(), 10);
  expect(all).toBeGreaterThan(12);
  await expect(found).toHaveCount(all);
  const counts = (await page.evaluate('shown')) as number[];
  expect(counts).toEqual(expect.arrayContaining([4, all]));
  expect(counts.lastIndexOf(4)).toBeLessThan(counts.indexOf(all));
});

test('a misspelt search finds its dish, Back ends the search, and a filter is kept across pages and in links', async ({
  window,
}) => {
  const page = await window(phone);
  await page.goto('/menu');
  const search = page.getByRole('searchbox');
  await search.fill('clasic chese burger');
  await expect(page.getByRole('status').filter({ hasText: /dishes found/ })).toBeVisible();
  await expect(page.getByRole('link', { name: new RegExp(`^${burger}`) }).first()).toBeVisible();
  await expect(page).toHaveURL(/q=clasic/);
  await page
    .getByRole('link', { name: new RegExp(`^${burger}`) })
    .first()
    .click();
  await expect(page.getByRole('dialog', { name: burger })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(search).toHaveValue('clasic chese burger');
  await page.goBack();
  await expect(search).toHaveValue('');
  await expect(page).toHaveURL('/menu');

  await search.fill('xyzzyx');
  await expect(page.getByRole('status').filter({ hasText: 'Nothing on the menu matches' })).toBeVisible();
  await expectAccessible(page, 'nothing found');
  await page.getByRole('button', { name: 'Show the whole menu' }).click();

  await page.getByRole('button', { name: 'Filter' }).click();
  await page
    .getByRole('dialog')
    .getByRole('checkbox', { name: /^Vegan/ })
    .check();
  await page.goBack();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('link', { name: new RegExp(`^${burger}`) })).toBeHidden();
  await expect(page).toHaveURL(/diet=vegan/);
  const stranger = await window();
  await stranger.goto(page.url());
  await expect(stranger.getByRole('status').filter({ hasText: /dishes found/ })).toBeVisible();
  await page.goto('/');
  await page.goto('/menu');
  await expect(page.getByRole('button', { name: 'Remove filter: Vegan' })).toBeVisible();
});

test('a link to a dish opens it, and closing it leads to the menu', async ({ shop, window }) => {
  const page = await window();
  await page.goto('/menu');
  const href = await page
    .getByRole('link', { name: new RegExp(`^${burger}`) })
    .first()
    .getAttribute('href');
  const guest = await window(phone);
  await guest.goto(shop.url + (href ?? ''));
  await guest.getByRole('dialog', { name: burger }).getByRole('button', { name: 'Close' }).click();
  await expect(guest.getByRole('dialog')).toBeHidden();
  await expect(guest).toHaveURL('/menu');
});

for (const viewport of [phone.viewport, { width: 1280, height: 800 }]) {
  test(`a tap on a category goes to its heading, ${viewport.width} points wide`, async ({ window }) => {
    const page = await window({ viewport });
    await page.goto('/menu');
    const rail = page.getByRole('navigation', { name: 'Categories' });
    const names = await rail.getByRole('link').allTextContents();
    expect(names.length).toBeGreaterThan(8);
    for (const name of [1, 4, 7, 9].map((place) => names[place] ?? '')) {
      // Each time on a freshly loaded page: sections that were never visible only have an estimated height.
      await page.goto('/menu');
      await rail.getByRole('link', { name, exact: true }).click();
      const section = page.getByRole('region', { name, exact: true });
      const beside = (): Promise<number> => page.evaluate(distanceFromTop);
      // Scrolling has ended when two checks, a moment apart, find the same position.
      await expect.poll(beside, { message: name }).toBeLessThan(3);
      await page.waitForTimeout(700);
      expect(await beside(), name).toBeLessThan(3);
      await expect(section).toBeInViewport();
    }
  });
}

test('a focused element is never covered by the basket’s bar', async ({ window }) => {
  const page = await window(phone);
  await page.goto('/menu');
  await addDish(page);
  const bar = page.getByRole('button', { name: /View basket/ });
  await expect(bar).toBeVisible();
  const top = (await bar.boundingBox())?.y ?? 0;
  await page
    .getByRole('link', { name: new RegExp(`^${burger}`) })
    .first()
    .focus();
  for (let pressed = 0; pressed < 25; pressed++) {
    await page.keyboard.press('Tab');
    const bottom = await page.evaluate<number>('document.activeElement.getBoundingClientRect().bottom');
    const name = await page.evaluate<string>('document.activeElement.textContent');
    expect(bottom, name).toBeLessThanOrEqual(top);
  }
});

test('text and opening hours of any length fit a phone’s width', async ({ shop, window }) => {
  const { body } = await shop.api('GET', `/v1/stores/${shop.storeId}`);
  const { operational_hours: before } = body['data'] as { operational_hours: { day: string }[] };
  const hours = [...new Set(before.map(({ day }) => day))].flatMap((day) => [
    { day, open: '12:30', close: '15:00' },
    { day, open: '16:30', close: '22:30' },
  ]);
  const owner = (path: string, change: unknown) => shop.api('PATCH', path, change, shop.adminToken);
  const dish = await plainDish(shop);
  const { body: known } = await shop.api('GET', `/v1/items/${dish}`);
  const { name } = known['data'] as { name: string };
  const long = 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch';
  try {
    expect((await owner(`/v1/stores/${shop.storeId}`, { operational_hours: hours })).status).toBe(200);
    expect((await owner(`/v1/items/${dish}`, { name: long })).status).toBe(200);
    for (const [locale, widths, paths] of [
      ['en-GB', [320, 360, 375, 390], ['/']],
      ['pl-PL', [320, 360, 390], ['/']],
      ['en-GB', [320, 390], ['/menu', '/allergens', `/menu?q=${long}`, `/menu?item=${dish}`]],
    ] as const) {
      const page = await window({ locale });
      for (const width of widths) {
        for (const path of paths) {
          await page.setViewportSize({ width, height: 800 });
          await page.goto(path);
          await expect(page.getByText(path === '/' ? '12:30–15:00' : long).first()).toBeVisible();
          const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
          expect(beyond, `${path} at ${width} in ${locale}`).toBe(0);
        }
      }
    }
  } finally {
    await owner(`/v1/stores/${shop.storeId}`, { operational_hours: before });
    await owner(`/v1/items/${dish}`, { name });
  }
});

test('at a zoom of 400 % a dish fills the whole screen, with its button below', async ({ window }) => {
  const page = await window({ viewport: { width: 320, height: 256 } });
  await page.goto('/menu');
  await page
    .getByRole('link', { name: new RegExp(`^${burger}`) })
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: burger });
  const add = dialog.getByRole('button', { name: /^Add £/ });
  await expect(dialog.getByRole('heading', { name: burger })).toBeInViewport();
  await expect(add).not.toBeInViewport();
  await add.scrollIntoViewIfNeeded();
  await expect(add).toBeInViewport({ ratio: 1 });
});

test('a link to a dish opens a page with its name, which is the menu again once the dish is closed', async ({
  window,
}) => {
  const page = await window(phone);
  await page.goto('/menu');
  const dish = page.getByRole('link', { name: new RegExp(`^${burger}`) }).first();
  await page.goto((await dish.getAttribute('href')) ?? '');
  await expect(page).toHaveTitle(new RegExp(`^${burger} · `));
  await page.getByRole('dialog', { name: burger }).getByRole('button', { name: 'Close' }).click();
  await expect(page).toHaveTitle(/^Menu · /);
  await expect(page).toHaveURL('/menu');
});

test('an address that cannot be decoded is not found, with a message', async ({ window }) => {
  const page = await window(phone);
  const answer = await page.goto('/%E0%A4%A');
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  await expectAccessible(page);
});

test('an order that does not exist is not found, with a message', async ({ window }) => {
  const page = await window(phone);
  const answer = await page.goto('/orders/0192aaaa-0000-7000-8000-000000000000');
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText("We can't find this order");
  await expectAccessible(page, 'unknown order');
});

/** How far the addressed section is from directly below the fixed header, in px; 0 also if the page ends first. */
const distanceFromTop = `(() => {
  const section = document.getElementById(location.hash.slice(1));
  const { scrollTop, scrollHeight, clientHeight } = document.documentElement;
  if (scrollTop + clientHeight >= scrollHeight - 2) return 0;
  return Math.round(Math.abs(section.getBoundingClientRect().top - parseFloat(getComputedStyle(section).scrollMarginTop)));
})()`;
