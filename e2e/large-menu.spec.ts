import type { Page } from '@playwright/test';
import { replaceWithLargeMenu } from '#testing/large-menu.ts';
import { onDatabaseOf } from '#testing/shop-database.ts';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './shop.ts';
import { phone, untilAlive } from './storefront.ts';

const mostElements = 2500;
const countElements = (page: Page) => page.locator('*').count();

test('a menu of 500 dishes is small until it is read, and every dish is reached by hand, by key and without scripts', async ({
  shop,
  window,
}) => {
  const names = await replaceWithLargeMenu(shop, 30, 500);
  const section = (page: Page, name: string | undefined) => page.getByRole('region', { name: name ?? '', exact: true });
  const page = await window(phone);

  await test.step('the pages are small, and a category opens at the top with its dishes', async () => {
    for (const path of ['/allergens', '/', '/menu']) {
      await page.goto(path);
      expect(await countElements(page), path).toBeLessThan(mostElements);
    }
    const far = names[24];
    await page.getByRole('navigation', { name: 'Categories' }).getByRole('link', { name: far, exact: true }).tap();
    await expect(section(page, far).getByRole('listitem')).toHaveCount(16);
    const top = async () => (await section(page, far).boundingBox())?.y ?? Number.NaN;
    await expect.poll(async () => Math.abs((await top()) - 64)).toBeLessThan(12);
    await expect(section(page, far).getByRole('list')).toHaveCount(1);
    await expect(section(page, names[12]).getByRole('link')).toHaveText(['Show 17 dishes']);
    await expectAccessible(page, 'a large menu');
  });

  await test.step('Back from a dish finds the menu where it was', async () => {
    const dish = section(page, names[24]).getByRole('link').nth(3);
    const before = (await dish.boundingBox())?.y ?? Number.NaN;
    await page.goto('/');
    await page.goBack();
    await expect(dish).toBeInViewport();
    await dish.tap();
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('dialog')).toBeHidden();
    expect(Math.abs(((await dish.boundingBox())?.y ?? Number.NaN) - before)).toBeLessThan(844);
  });

  await test.step('a linked dish has the focus on the menu when its sheet closes', async () => {
    const path = (await section(page, names[24]).getByRole('link').nth(15).getAttribute('href')) ?? '';
    await page.goto(path);
    await untilAlive(page.getByRole('dialog').getByRole('textbox'));
    await page.keyboard.press('Escape');
    await expect(page.locator(`a[href="${path}"]`)).toBeFocused();
  });

  await test.step('the sheet of categories goes to each, and Escape and Back leave it where it was opened', async () => {
    await page.goto('/');
    await page.goto('/menu');
    const all = page.getByRole('button', { name: 'All categories' });
    const sheet = page.getByRole('dialog', { name: 'All categories' });
    for (const leave of [() => page.keyboard.press('Escape'), () => page.goBack()]) {
      await all.focus();
      await page.keyboard.press('Enter');
      await expect(sheet.getByRole('listitem')).toHaveCount(30);
      await leave();
      await expect(sheet).toBeHidden();
      await expect(all).toBeFocused();
      await expect(page).toHaveURL('/menu');
    }
    await all.tap();
    await expectAccessible(page, 'the sheet of categories');
    await sheet.getByRole('link', { name: `${names[20]} 16 dishes` }).tap();
    await expect(sheet).toBeHidden();
    await expect(section(page, names[20])).toBeFocused();
    await expect(section(page, names[20]).getByRole('listitem')).toHaveCount(16);
    await expect
      .poll(async () => Math.abs(((await section(page, names[20]).boundingBox())?.y ?? Number.NaN) - 64))
      .toBeLessThan(12);
    await page.goBack();
    await expect(page).toHaveURL('/');
    await page.goto('/menu');
  });

  await test.step('a search finds the last dish, and one for a common word the best', async () => {
    await page.getByRole('searchbox').fill('no. 500');
    await expect(section(page, 'Search results').getByRole('link').first()).toContainText('no. 500');
    await page.getByRole('searchbox').fill('cooked');
    await expect(page.getByRole('status').filter({ hasText: 'The 30 best matches' })).toBeVisible();
    await page.keyboard.press('Escape');
  });

  await test.step('scrolling renders the dishes before they are seen, and keys go from dish to dish', async () => {
    await page.goto('/menu');
    const last = section(page, names.at(-1)).getByRole('link').last();
    await expect(async () => {
      await page.mouse.wheel(0, 4000);
      await expect(last).toBeInViewport({ timeout: 100 });
    }).toPass();
    await page.goto('/menu');
    await section(page, names[1]).getByRole('link').last().focus();
    for (let dish = 0; dish < 40; dish += 1) {
      await page.keyboard.press('Tab');
      await expect(page.getByRole('region').getByRole('listitem').locator(':focus')).toHaveCount(1);
    }
    // A link that gets the focus after its part became near, and before the dishes replace it, hands the focus on.
    await page.addInitScript(focusFoldedLinkOnceNear);
    await page.goto('/menu');
    await expect(async () => {
      await page.mouse.wheel(0, 2000);
      await expect(page.locator('[data-was-focused]')).toHaveCount(1, { timeout: 100 });
    }).toPass();
    await expect(page.locator('[data-was-focused] .dish-list :focus')).toHaveAttribute('href', /item=/);
  });

  await test.step('without scripts a link shows a category’s dishes and allergens', async () => {
    const plain = await window({ ...phone, javaScriptEnabled: false });
    await plain.goto('/menu');
    await section(plain, names[20]).getByRole('link', { name: 'Show 16 dishes' }).click();
    await expect(section(plain, names[20]).getByRole('listitem')).toHaveCount(16);
    await plain.goto('/allergens');
    await plain.getByRole('link', { name: new RegExp(`^${names[20]} ?16`) }).click();
    await expect(plain.getByRole('table', { name: names[20] }).getByRole('row')).toHaveCount(16);
  });

  await test.step('allergens open by category, and paper has them all', async () => {
    await page.goto('/allergens');
    await expect(page.getByRole('table')).toHaveCount(1);
    await page.getByRole('link', { name: new RegExp(`^${names[20]} ?16`) }).tap();
    await expect(page.getByRole('table', { name: names[20] })).toBeVisible();
    await expectAccessible(page, 'allergens by category');
    await page.evaluate('dispatchEvent(new Event("beforeprint"))');
    // The sizes have a table of their own.
    await expect(page.getByRole('table')).toHaveCount(names.length + 1);
  });

  await test.step('the best sellers are one row at the head of the menu, without dishes that are sold out', async () => {
    const { rows } = await onDatabaseOf(shop.dataDir, (client) =>
      client.query<{ id: string; name: string }>(
        `update stores set version = version + 1, best_sellers = (select jsonb_agg(id) from (
           select id from items where name like '% no. _' order by name) as sold)
         returning (best_sellers ->> 0) as id, pg_notify('hatch_shop_changed', id || ' ' || version)`,
      ),
    );
    const soldOut = rows[0]?.id ?? '';
    await shop.api('PATCH', `/v1/items/${soldOut}`, { is_available: false }, shop.adminToken);
    await page.goto('/menu');
    const row = section(page, 'Best sellers');
    await expect(row.getByRole('listitem')).toHaveCount(8);
    await expect(row.locator(`[href$="${soldOut}"]`)).toHaveCount(0);
    expect(await countElements(page)).toBeLessThan(mostElements);
    await expectAccessible(page, 'best sellers');
    const dish = row.getByRole('link').nth(1);
    await dish.tap();
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('dialog')).toBeHidden();
    await page.getByRole('searchbox').fill('soup');
    await expect(section(page, 'Search results')).toBeVisible();
    await expect(row).toBeHidden();
  });
});

/** Focuses the link of the first folded part that the page finds near, before the page can render its dishes. */
const focusFoldedLinkOnceNear = `{
  let isDone = false;
  window.IntersectionObserver = class extends IntersectionObserver {
    constructor(tell, options) {
      super((entries, observer) => {
        tell(entries, observer);
        const part = entries.find(({ isIntersecting, target }) => isIntersecting && target.matches('.folded-dishes'));
        if (!part || isDone) return;
        isDone = true;
        part.target.parentElement.dataset.wasFocused = '';
        part.target.querySelector('a').focus({ preventScroll: true });
      }, options);
    }
  };
}`;
