import { expectAccessible } from './accessible.ts';
import { expect, test } from './shop.ts';
import { burger, phone } from './storefront.ts';

test('the menu can be read without JavaScript, and shows nothing that would not work', async ({ window }) => {
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

test('a choice with what a guest filters out is warned of where the dish is added, on the smallest phone too', async ({
  window,
}) => {
  const page = await window({ viewport: { width: 360, height: 740 }, hasTouch: true });
  await page.goto('/menu?without=milk');
  await page.getByRole('link', { name: /^Burger box/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Burger box' });
  await expect(dialog.getByRole('button', { name: /^Add £/ })).toBeInViewport({ ratio: 1 });
  await expect(dialog.getByRole('status').filter({ hasText: 'filter out: milk' })).toBeInViewport({ ratio: 1 });
});

test('what was chosen and typed before the scripts came stays', async ({ window }) => {
  const page = await window(phone);
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

test('while letters come the best of what is found shows, and all of it once they rest', async ({ window }) => {
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
  expect(counts).toEqual(expect.arrayContaining([6, all]));
  expect(counts.lastIndexOf(6)).toBeLessThan(counts.indexOf(all));
});

test('a misspelt search finds its dish, Back ends it, and a filter lasts over pages and in a link', async ({
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
  await expect(page.getByRole('button', { name: 'Stop filtering: Vegan' })).toBeVisible();
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

test('a link to a dish opens a page of its name, which is the menu again once the dish is closed', async ({
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

test('an address that cannot be read is not found, in words', async ({ window }) => {
  const page = await window(phone);
  const answer = await page.goto('/%E0%A4%A');
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'There is nothing here' })).toBeVisible();
  await expectAccessible(page);
});

test('an order that does not exist is not found, in words', async ({ window }) => {
  const page = await window(phone);
  const answer = await page.goto('/orders/0192aaaa-0000-7000-8000-000000000000');
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This order cannot be found');
  await expectAccessible(page, 'unknown order');
});
