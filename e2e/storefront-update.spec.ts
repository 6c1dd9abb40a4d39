import type { Page } from '@playwright/test';
import { openReleases, type Releases } from './next-release.ts';
import { expect, test as base } from './shop.ts';

const test = base.extend<{ releases: Releases }>({
  releases: async ({ shop }, use) => {
    const releases = await openReleases(shop.url);
    await use(releases);
    await releases.stop();
  },
});

/** Left on the page; it goes with the page. */
const mark = `document.documentElement.dataset.mark = 'still here'`;
const isMarked = `document.documentElement.dataset.mark === 'still here'`;

function offerOn(page: Page) {
  return page.getByRole('status').filter({ hasText: 'There is a new version of this page.' });
}

test('a new release asks before it takes the place of the page that is being read', async ({ window, releases }) => {
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
