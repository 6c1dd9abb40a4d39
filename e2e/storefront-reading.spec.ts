import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './shop.ts';
import { plainDish } from './orders.ts';
import { register } from './people.ts';
import { addDish, burger, phone, untilAlive } from './storefront.ts';

const narrow = { width: 360, height: 740 };
const dishes = (page: Page, name = burger) => page.getByRole('link', { name: new RegExp(`^${name}`) });

test('the menu can be read without JavaScript, and has no controls that would not work', async ({ window }) => {
  const page = await window({ javaScriptEnabled: false });
  await page.goto('/menu');
  await expect(dishes(page)).toContainText('£');
  await expect(page.getByRole('searchbox')).toBeHidden();
  await expect(page.getByRole('radio')).toHaveCount(0);
  await expect(page.getByText('Collection', { exact: true })).toBeVisible();
  await page.goto('/checkout');
  await expect(page.getByRole('heading', { name: 'This page needs JavaScript' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'See the menu' })).toHaveCSS('min-height', '44px');
});

test('a guest reads the menu on a phone: searches, filters, opens dishes and goes from category to category', async ({
  shop,
  window,
}) => {
  const page = await window(phone);
  const search = page.getByRole('searchbox');
  const found = page.getByRole('status').filter({ hasText: /dish(es)? found/ });

  await test.step('input from before the scripts loaded stays, and nothing is logged', async () => {
    const complaints: string[] = [];
    page.on('console', (message) => {
      // The worker is blocked by the test itself.
      const isOfTest = message.text() === 'Service Worker registration blocked by Playwright';
      if (message.type() !== 'log' && !isOfTest) complaints.push(message.text());
    });
    const { promise: isLetGo, resolve: unfreeze } = Promise.withResolvers<void>();
    await page.route('**/static/assets/*.js', async (route) => {
      await isLetGo;
      await route.continue();
    });
    await page.goto('/menu', { waitUntil: 'commit' });
    await page.getByText('Collection', { exact: true }).click();
    await search.fill('naan');
    unfreeze();
    await expect(found).toBeVisible();
    await expect(search).toHaveValue('naan');
    await expect(page.getByRole('radio', { name: /Collection/ })).toBeChecked();
    await expect(page).toHaveURL(/q=naan/);
    await page.unroute('**/static/assets/*.js');
    await page.goto('/menu');
    await expect(page.getByRole('radio', { name: /Collection/ })).toBeChecked();
    expect(complaints).toEqual([]);
  });

  await test.step('a tap on a category goes to its heading', () => tapCategories(page));

  await test.step('a misspelt search finds its dish, and Back ends the search', async () => {
    await page.goto('/menu');
    await search.fill('clasic chese burger');
    await expect(found).toBeVisible();
    await expect(dishes(page).first()).toBeVisible();
    await expect(page).toHaveURL(/q=clasic/);
    await dishes(page).first().click();
    await expect(page.getByRole('dialog', { name: burger })).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(search).toHaveValue('clasic chese burger');
    await page.goBack();
    await expect(search).toHaveValue('');
    await expect(page).toHaveURL('/menu');
  });

  await test.step('while somebody types the best results show, and all of them after a pause', async () => {
    await search.fill('margherita');
    await expect(page.getByRole('heading', { name: 'Search results' })).toBeVisible();
    await page.evaluate(`
      globalThis.shown = [];
      const count = () => shown.push(document.querySelectorAll('#category-found [role=listitem]').length);
      new MutationObserver(count).observe(document.body, { childList: true, subtree: true });
    `);
    await search.fill('chicken');
    const results = page.getByRole('region', { name: 'Search results' }).getByRole('listitem');
    const words = page.getByRole('status').filter({ hasText: /^\d\d dishes found/ });
    const all = Number.parseInt(await words.innerText(), 10);
    expect(all).toBeGreaterThan(12);
    await expect(results).toHaveCount(all);
    const counts = (await page.evaluate('shown')) as number[];
    expect(counts).toEqual(expect.arrayContaining([4, all]));
    expect(counts.lastIndexOf(4)).toBeLessThan(counts.indexOf(all));

    await search.fill('xyzzyx');
    await expect(page.getByRole('status').filter({ hasText: 'Nothing on the menu matches' })).toBeVisible();
    await expectAccessible(page, 'nothing found');
    await page.getByRole('button', { name: 'Show the whole menu' }).click();
  });

  await test.step('a filter is kept across pages and in links', async () => {
    await page.getByRole('button', { name: 'Diet' }).click();
    await page
      .getByRole('dialog')
      .getByRole('checkbox', { name: /^Vegan/ })
      .check();
    await page.goBack();
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(dishes(page)).toBeHidden();
    await expect(page).toHaveURL(/diet=vegan/);
    const address = page.url();
    await page.goto('/');
    await page.goto('/menu');
    await page.getByRole('button', { name: 'Remove filter: Vegan' }).click();
    await expect(dishes(page).first()).toBeVisible();
    // It comes back by its link alone.
    await page.evaluate('localStorage.removeItem("menu_filter")');
    await page.goto(address);
    await expect(found).toBeVisible();
    const remove = page.getByRole('button', { name: 'Remove filter: Vegan' });
    await remove.click();
    await expect(remove).toBeHidden();
  });

  await test.step('the head of the menu asks for the postcode in one line, and then says its terms in the same space', async () => {
    await page.getByText('Delivery', { exact: true }).click();
    const ask = page.getByRole('button', { name: 'Check your postcode' });
    const top = async () => (await dishes(page).first().boundingBox())?.y;
    await expect(ask).toBeVisible();
    const before = await top();
    await ask.click();
    await expect(page.getByLabel('Do we deliver to you?')).toBeFocused();
    await expectAccessible(page, 'the postcode on the menu');
    await page.keyboard.type('cv212aa');
    await page.keyboard.press('Enter');
    const terms = page.getByRole('button', { name: /^CV21 2AA: £[\d.]+, free from £[\d.]+, minimum £/ });
    await expect(terms).toBeFocused();
    expect(await top()).toBe(before);
    await page.reload();
    await expect(terms).toBeVisible();
    expect(await top()).toBe(before);
    await page.getByText('Collection', { exact: true }).click();
    await expect(terms).toBeHidden();
    expect(await top()).toBe(before);
  });

  await test.step('allergens are picked once, every dish answers about them, and hiding dishes is a choice', async () => {
    await page.setViewportSize(narrow);
    const own = page.getByRole('button', { name: /^Your allergens/ });
    const picker = page.getByRole('dialog', { name: 'Your allergens' });
    await own.click();
    await picker.getByRole('checkbox', { name: 'Milk' }).check();
    await expectAccessible(page, 'allergens to pick');
    await picker.getByRole('button', { name: /^Show \d+ dishes/ }).click();
    await expect(own).toHaveText('Your allergens (1)');
    await expect(page).toHaveURL('/menu');
    await expect(dishes(page, 'Chilli paneer')).toContainText('Contains milk.');
    const answer = /Contains milk\.|May contain milk\.|Depends on your choice: milk\.|Not in it: milk\.|ask the shop\./;
    const cards = await page.locator('main a.dish').allTextContents();
    expect(cards.length).toBeGreaterThan(40);
    expect(cards.filter((text) => !answer.test(text))).toEqual([]);

    await own.click();
    await picker.getByRole('checkbox', { name: /^Hide dishes/ }).check();
    await picker.getByRole('button', { name: 'Close' }).click();
    await expect(page).toHaveURL(/without=milk/);
    await expect(dishes(page, 'Chilli paneer')).toBeHidden();
    await page.getByRole('button', { name: 'Remove filter: Without your allergens' }).click();
    await expect(dishes(page, 'Chilli paneer')).toContainText('Contains milk.');

    await page.goto('/allergens');
    const row = page.locator('.allergens tr', { hasText: 'Munch box' });
    await expect(row.getByText('Contains milk.', { exact: true })).toBeVisible();
    await expectAccessible(page, 'allergens, with answers');

    await page.goto('/menu');
    await own.click();
    await picker.getByRole('checkbox', { name: /^Hide dishes/ }).check();
    await picker.getByRole('button', { name: 'Close' }).click();
    await expect(dishes(page, 'Chilli paneer')).toBeHidden();
    await page.getByRole('contentinfo').getByRole('link', { name: 'Allergens' }).click();
    await page
      .getByRole('main')
      .getByRole('button', { name: /^Your allergens/ })
      .click();
    await expect(picker.getByRole('checkbox', { name: /^Hide dishes/ })).toHaveCount(0);
    await picker.getByRole('checkbox', { name: 'Milk' }).uncheck();
    await picker.getByRole('button', { name: 'Close' }).last().click();
    await expect(page).toHaveURL('/allergens');
    await page.goBack();
    await expect(page).toHaveURL('/menu');
    await expect(own, 'Back brings no removed allergen').toHaveText('Your allergens');
    await expect(dishes(page, 'Chilli paneer')).toBeVisible();
    await own.click();
    await picker.getByRole('checkbox', { name: 'Milk' }).check();
    await picker.getByRole('checkbox', { name: /^Hide dishes/ }).uncheck();
    await picker.getByRole('button', { name: 'Close' }).click();
  });

  await test.step('a choice that contains what somebody avoids has a warning where the dish is added, and is asked about', async () => {
    await dishes(page, 'Burger box').click();
    const dialog = page.getByRole('dialog', { name: 'Burger box' });
    await expect(dialog.getByRole('button', { name: /^Add £/ })).toBeInViewport({ ratio: 1 });
    await expect(dialog.getByRole('status').filter({ hasText: 'Contains milk' })).toBeInViewport({ ratio: 1 });
    await dialog.getByLabel(/^Cola, 330/).check();
    await dialog.getByLabel(/^Ketchup/).check();
    await dialog.getByRole('button', { name: /^Add £/ }).click();
    const question = page.getByRole('dialog', { name: 'Add Burger box all the same?' });
    await expect(question).toContainText('You avoid: milk.');
    await expectAccessible(page, 'the question about an avoided allergen');
    await page.keyboard.press('Escape');
    await expect(question).toBeHidden();
    await dialog.getByRole('button', { name: /^Add £/ }).click();
    await question.getByRole('button', { name: 'Leave it out' }).click();
    await expect(question).toBeHidden();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: /^Your allergens/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await expect(page.getByRole('button', { name: 'Your allergens', exact: true })).toBeVisible();
  });

  await test.step('a dish without choices is added by one tap, unless its customer avoids what it contains', async () => {
    const paneer = page.getByRole('button', { name: 'Add Chilli paneer' });
    await paneer.click();
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(page.getByRole('link', { name: /^Chilli paneer.*In the basket: 1/ })).toBeVisible();
    const { token } = await register(shop);
    expect((await shop.api('PATCH', '/v1/auth/user', { allergies: ['milk', 'nuts'] }, token)).status).toBe(200);
    await page.evaluate((saved) => localStorage.setItem('token', saved), token);
    await page.reload();
    await expect(page.getByRole('link', { name: /^Chilli paneer.*Contains milk/ })).toContainText('Not in it: nuts.');
    await paneer.click();
    await expect(page.getByRole('dialog', { name: 'Chilli paneer' })).toBeVisible();
    // Until the account is known, the customer may avoid anything.
    await page.route('**/v1/auth/user', () => undefined);
    await page.goto('/menu');
    await untilAlive(paneer);
    await paneer.click();
    await expect(page.getByRole('dialog', { name: 'Chilli paneer' })).toBeVisible();
    await page.unroute('**/v1/auth/user');
    await page.evaluate(() => ['token', 'basket'].forEach((key) => localStorage.removeItem(key)));
    await page.goto('/menu');
  });

  await test.step('a tap whose code arrives after the customer left the menu adds nothing', async () => {
    const code = /\/(sheets|quick-add)-[^/]*\.js$/;
    const { promise: isLetGo, resolve: letThrough } = Promise.withResolvers<void>();
    await page.route(code, async (route) => {
      await isLetGo;
      await route.continue();
    });
    const isAlive = page.waitForRequest(code);
    await page.goto('/menu');
    await isAlive;
    await page.getByRole('button', { name: 'Add Chilli paneer' }).click();
    await page.getByRole('banner').getByRole('link').first().click();
    await expect(page).toHaveURL('/');
    letThrough();
    await page.getByRole('banner').getByRole('link', { name: 'Menu' }).click();
    // A dish opens only once the code has arrived.
    await dishes(page, 'Chilli paneer').click();
    await page.getByRole('dialog', { name: 'Chilli paneer' }).getByRole('button', { name: 'Close' }).click();
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(dishes(page, 'Chilli paneer')).not.toContainText('In the basket');
    await page.unroute(code);
  });

  await test.step('at a zoom of 400 % a dish fills the whole screen, with its button below', async () => {
    await page.setViewportSize({ width: 320, height: 256 });
    await dishes(page).first().click();
    const dialog = page.getByRole('dialog', { name: burger });
    const add = dialog.getByRole('button', { name: /^Add £/ });
    await expect(dialog.getByRole('heading', { name: burger })).toBeInViewport();
    await expect(add).not.toBeInViewport();
    await add.scrollIntoViewIfNeeded();
    await expect(add).toBeInViewport({ ratio: 1 });
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.setViewportSize(phone.viewport);
  });

  await test.step('a focused element is never covered by the basket’s bar', async () => {
    await addDish(page);
    const bar = page.getByRole('button', { name: /View basket/ });
    await expect(bar).toBeVisible();
    const top = (await bar.boundingBox())?.y ?? 0;
    await dishes(page).first().focus();
    for (let pressed = 0; pressed < 25; pressed++) {
      await page.keyboard.press('Tab');
      const bottom = await page.evaluate<number>('document.activeElement.getBoundingClientRect().bottom');
      const name = await page.evaluate<string>('document.activeElement.textContent');
      expect(bottom, name).toBeLessThanOrEqual(top);
    }
  });

  await test.step('a link to a dish opens it under its name, and closing it leads to the menu', async () => {
    await page.goto((await dishes(page).first().getAttribute('href')) ?? '');
    await expect(page).toHaveTitle(new RegExp(`^${burger} · `));
    await page.getByRole('dialog', { name: burger }).getByRole('button', { name: 'Close' }).click();
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(page).toHaveTitle(/^Menu · /);
    await expect(page).toHaveURL('/menu');
  });

  await test.step('a tap on a category goes to its heading on a wide screen, too', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    // Sections that were never visited only have an estimated height.
    await page.reload();
    await tapCategories(page);
  });
});

/** On a freshly loaded menu: the last one first, and then none whose neighbour above was visited before. */
async function tapCategories(page: Page): Promise<void> {
  const rail = page.getByRole('navigation', { name: 'Categories' });
  const names = await rail.getByRole('link').allTextContents();
  expect(names.length).toBeGreaterThan(8);
  for (const name of [9, 4, 7, 1].map((place) => names[place] ?? '')) {
    await rail.getByRole('link', { name, exact: true }).click();
    const section = page.getByRole('region', { name, exact: true });
    const beside = (): Promise<number> => page.evaluate(distanceFromTop);
    await expect(page).toHaveURL(new RegExp(`#${await section.getAttribute('id')}$`));
    // Scrolling has ended when two checks, a moment apart, find the same position.
    await expect.poll(beside, { message: name }).toBeLessThan(3);
    await page.waitForTimeout(700);
    expect(await beside(), name).toBeLessThan(3);
    await expect(section).toBeInViewport();
  }
}

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
  const page = await window();
  const expectFit = async (state: string, text: string, widths: readonly number[]) => {
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      await expect(page.getByText(text).first()).toBeVisible();
      const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect(beyond, `${state} at ${width}`).toBe(0);
    }
  };
  try {
    expect((await owner(`/v1/stores/${shop.storeId}`, { operational_hours: hours })).status).toBe(200);
    expect((await owner(`/v1/items/${dish}`, { name: long })).status).toBe(200);
    await page.goto('/?lang=pl');
    await expectFit('home in Polish', '12:30–15:00', [320, 360, 390]);
    await page.goto('/?lang=en');
    await expectFit('home', '12:30–15:00', [320, 360, 375, 390]);
    await page.goto('/allergens?category=all');
    await expectFit('allergens', long, [320, 390]);
    await page.goto('/menu');
    await expectFit('menu', long, [320, 390]);
    await page.getByRole('searchbox').fill(long);
    await expect(page.getByRole('status').filter({ hasText: /dish(es)? found/ })).toBeVisible();
    await expectFit('its search', long, [320, 390]);
    await dishes(page, long).first().click();
    await expect(page.getByRole('dialog', { name: long })).toBeVisible();
    await expectFit('its sheet', long, [320, 390]);
  } finally {
    await owner(`/v1/stores/${shop.storeId}`, { operational_hours: before });
    await owner(`/v1/items/${dish}`, { name });
  }
});

/** How far the addressed section is from directly below the fixed header, in px; 0 also if the page ends first. */
const distanceFromTop = `(() => {
  const section = document.getElementById(location.hash.slice(1));
  const { scrollTop, scrollHeight, clientHeight } = document.documentElement;
  if (scrollTop + clientHeight >= scrollHeight - 2) return 0;
  return Math.round(Math.abs(section.getBoundingClientRect().top - parseFloat(getComputedStyle(section).scrollMarginTop)));
})()`;
