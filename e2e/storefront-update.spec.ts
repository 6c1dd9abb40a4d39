import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { openReleases, type Releases } from './next-release.ts';
import { expect, test as base } from './shop.ts';
import { addDish, burger, phone, untilAlive } from './storefront.ts';

const test = base.extend<{ releases: Releases }>({
  releases: async ({ shop }, use) => {
    const releases = await openReleases(shop.url);
    await use(releases);
    await releases.stop();
  },
});

test.use({ serviceWorkers: 'allow' });

/** A mark on the page, which is lost with the page. */
const mark = `document.documentElement.dataset.mark = 'still here'`;
const isMarked = `document.documentElement.dataset.mark === 'still here'`;

function offerOn(page: Page) {
  return page.getByRole('status').filter({ hasText: 'There is a new version of this page.' });
}

test('a new release asks before it replaces the page that is being read', async ({ window, releases }) => {
  const page = await window({ baseURL: releases.url });
  await page.goto('/menu');
  await expect.poll(() => page.evaluate('Boolean(navigator.serviceWorker.controller)')).toBe(true);
  await page.evaluate(mark);
  await expect(offerOn(page)).toHaveCount(0);

  releases.deploy();
  await page.evaluate('navigator.serviceWorker.getRegistration().then((it) => it.update()).then(() => undefined)');
  await expect(offerOn(page)).toBeVisible();
  expect(await page.evaluate(isMarked)).toBe(true);
  expect(await page.evaluate('navigator.serviceWorker.getRegistration().then((it) => Boolean(it.waiting))')).toBe(true);

  await offerOn(page).getByRole('button', { name: 'Reload' }).click();
  await expect.poll(() => page.evaluate(isMarked).catch(() => null)).toBe(false);
  await expect(page.getByRole('heading', { name: 'Curries' })).toBeVisible();
  await expect(offerOn(page)).toHaveCount(0);
  expect(await page.evaluate('navigator.serviceWorker.getRegistration().then((it) => Boolean(it.waiting))')).toBe(
    false,
  );
});

test('a page whose code was removed by a new release says so, and reloads on request', async ({ window, releases }) => {
  const page = await window({ baseURL: releases.url });
  releases.gone = /\/assets\/terms-page-[^/]*\.js$/;
  await page.goto('/menu');
  await expect.poll(() => page.evaluate('Boolean(navigator.serviceWorker.controller)')).toBe(true);
  await page.evaluate(mark);
  const terms = page.getByRole('link', { name: 'Terms' });
  await untilAlive(terms);
  // By keyboard: at the end of the menu the page may move between a pointer's press and release.
  await terms.press('Enter');
  await expect(offerOn(page)).toBeVisible();
  await expect(page.getByRole('alert')).toBeVisible();
  expect(await page.evaluate(isMarked)).toBe(true);

  releases.gone = null;
  await offerOn(page).getByRole('button', { name: 'Reload' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /Terms/ })).toBeVisible();
  expect(await page.evaluate(isMarked)).toBe(false);
});

test('code that fails to load once is requested again, if the shop answers', async ({ window, releases }) => {
  const page = await window({ baseURL: releases.url });
  const refused: string[] = [];
  page.on('response', (answer) => {
    if (answer.status() === 502) refused.push(answer.url());
  });
  await page.goto('/terms');
  // The page must not request its script after the end of the test, when the server has stopped.
  await expect.poll(() => page.evaluate('Boolean(navigator.serviceWorker.controller)')).toBe(true);
  const signIn = page.getByRole('link', { name: 'Sign in' });
  await untilAlive(signIn);
  releases.late = /\/assets\/sign-in-pages-[^/]*\.js$/;
  await signIn.click();
  await expect(page.getByLabel('Email')).toBeVisible();
  expect(refused).toEqual([expect.stringContaining('sign-in-pages')]);
  await expect(offerOn(page)).toHaveCount(0);
});

test('a missing part of the menu, removed by a new release, does not break the rest, and a reload is offered', async ({
  window,
  releases,
}) => {
  const page = await window({ baseURL: releases.url });
  await page.goto('/menu');
  await addDish(page);
  await expect(page.getByRole('complementary', { name: 'Your basket' })).toContainText(burger);
  // Files that the service worker fetches ahead would be stored and survive the deletion.
  await expect.poll(() => page.evaluate(`caches.match('/terms').then(Boolean)`)).toBe(true);

  releases.gone = /\/assets\/(sheets|finder|basket-panels)-[^/]*\.js$/;
  await page.evaluate(`caches.delete('files').then(() => undefined)`);
  await page.context().clearCookies();
  await (await page.context().newCDPSession(page)).send('Network.clearBrowserCache');
  await page.reload();
  // The basket beside the menu is the first part to miss its code, before the offer to reload has loaded.
  await expect(offerOn(page)).toBeVisible();
  // That comes from the page's own code: a tap before it would load another page, without these letters.
  await page.getByRole('searchbox').fill('naan');
  await expect(page.getByText('The search could not be loaded')).toBeVisible();
  await page
    .getByRole('link', { name: new RegExp(`^${burger}`) })
    .first()
    .click();
  await expect(page).toHaveURL(/\/menu\?q=naan$/);
  await expect(page.getByRole('heading', { name: 'Curries' })).toBeVisible();

  releases.gone = null;
  await offerOn(page).getByRole('button', { name: 'Reload' }).click();
  await expect(page.getByRole('complementary', { name: 'Your basket' })).toContainText(burger);
});

test('a shop that does not answer is not taken for a new release: pages say so, and try again on request', async ({
  window,
  releases,
}) => {
  const page = await window({ ...phone, baseURL: releases.url });
  await page.goto('/menu');
  await addDish(page);
  await expect.poll(() => page.evaluate(`caches.match('/terms').then(Boolean)`)).toBe(true);
  releases.isDown = true;
  const paths = ['/login', '/no-such-page', `/orders/${crypto.randomUUID()}`, '/customer/orders', '/register'];
  for (const path of paths) {
    await page.goto(path);
    await expect(page.getByRole('alert'), path).toContainText('No connection');
    await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(1);
    expect(await page.evaluate('navigator.onLine')).toBe(true);
  }
  // It loads together with the offer to reload.
  await expect(page.locator('.connection-banner')).toBeAttached();
  await expect(offerOn(page)).toHaveCount(0);
  await expectAccessible(page, 'a page of a shop that does not answer');

  await page.getByRole('banner').getByRole('link', { name: 'Menu' }).click();
  await expect(page.getByRole('button', { name: /View basket/ })).toBeVisible();
  await page.goBack();
  releases.isDown = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Create an account' })).toBeVisible();
});
