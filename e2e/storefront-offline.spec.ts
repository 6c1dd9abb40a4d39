import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { register } from './people.ts';
import { expect, test } from './shop.ts';
import { addDish, burger, fillCollection, goToCheckout, phone, placeOrder, savesData } from './storefront.ts';

test.use({ serviceWorkers: 'allow' });

/** Waits until the service worker controls the page and has stored its files. */
const isKept = `(async () => {
  await navigator.serviceWorker.ready;
  const pages = await (await caches.open('pages')).keys();
  const files = await (await caches.open('files')).keys();
  return Boolean(navigator.serviceWorker.controller) && pages.some(({ url }) => url.endsWith('/menu'))
    && files.some(({ url }) => url.includes('/shop/'));
})()`;

/** How many of the cached pages are in the language of the open one: five, once all around the menu were fetched. */
const cachedPages = `(async () => {
  const cache = await caches.open('pages');
  const kept = await Promise.all((await cache.keys()).map(async (key) => (await cache.match(key, { ignoreVary: true })).text()));
  return kept.filter((text) => text.includes('<html lang="' + document.documentElement.lang + '"')).length;
})()`;
const untilAllIsKept = (page: Page) =>
  expect.poll(() => page.evaluate(cachedPages), { message: 'pages are kept', timeout: 20_000 }).toBe(5);

const pictures = `[...document.images].filter(({ complete }) => complete)`;
const broken = `${pictures}.filter(({ naturalWidth }) => naturalWidth === 0).map(({ src }) => src)`;

test('without a connection the pages around the menu open in their language and say how old they are, and nothing is sold', async ({
  shop,
  window,
}) => {
  const page = await window({ ...phone, locale: 'pl-PL' });
  const context = page.context();
  const offline = (words: string) => page.getByRole('status').filter({ hasText: words });
  const link = page.getByRole('link', { name: /^Onion bhajis/ }).first();

  await test.step('in Polish after one visit to the menu, with no picture broken', async () => {
    await page.goto('/menu');
    await expect.poll(() => page.evaluate(isKept)).toBe(true);
    await untilAllIsKept(page);
    const kept = await page.evaluate(`(async () => {
      const urls = [];
      for (const name of await caches.keys()) for (const { url } of await (await caches.open(name)).keys()) urls.push(url);
      return urls;
    })()`);
    expect(kept).not.toContainEqual(expect.stringMatching(/\/v1\/|\/orders\/|payment/));
    await context.setOffline(true);
    // The list's picture stands for the large one.
    await link.click();
    await expect.poll(() => page.evaluate(`document.querySelector('dialog img')?.naturalWidth`)).toBe(224);
    for (const path of ['/', '/allergens', '/privacy', '/terms']) {
      await page.goto(path);
      await expect(page.locator('html')).toHaveAttribute('lang', 'pl');
      await expect(offline('Nie masz połączenia'), path).toContainText('z ostatniej wizyty');
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.getByRole('alert')).toHaveCount(0);
      if (path !== '/') continue;
      // A plain plate stands for what was never seen.
      await expect.poll(() => page.evaluate(`${pictures}.length`)).toBeGreaterThan(3);
      expect(await page.evaluate(broken)).toEqual([]);
    }
  });

  const banner = offline('You are offline');
  await test.step('the last menu shows its age and sells nothing, and becomes the current one by itself', async () => {
    await context.setOffline(false);
    await page.goto('/menu?lang=en');
    await untilAllIsKept(page);
    await context.setOffline(true);
    await page.goto('/menu');
    await expect(page.getByRole('heading', { name: 'Curries' })).toBeVisible();
    await expect(banner).toContainText('as you last saw it');
    expect((await banner.boundingBox())?.height).toBeLessThan(60);
    await expectAccessible(page, 'the menu offline');
    await addDish(page, 'Onion bhajis');
    const refused = await page.evaluate(`fetch('/v1/stores').then(() => 'answered', () => 'refused')`);
    expect(refused).toBe('refused');

    const item = `/v1/items/${/item=([^&]+)/.exec((await link.getAttribute('href')) ?? '')?.[1]}`;
    const rename = async (name: string) => (await shop.api('PATCH', item, { name }, shop.adminToken)).status;
    expect(await rename('Onion bhajis of today')).toBe(200);
    try {
      await context.setOffline(false);
      await expect(banner).toHaveCount(0);
      await expect(link).toHaveAccessibleName(/^Onion bhajis of today/);
    } finally {
      expect(await rename('Onion bhajis')).toBe(200);
    }
  });

  await test.step('the basket and the banner are both in reach, at every width', async () => {
    const bar = page.getByRole('button', { name: /View basket/ });
    await expect(bar).toBeVisible();
    for (const width of [360, 390]) {
      await page.setViewportSize({ width, height: 740 });
      await context.setOffline(true);
      await expect(banner).toBeVisible();
      for (const place of ['the top', 'the end']) {
        const top = place === 'the end' ? 'document.body.scrollHeight' : '0';
        await page.evaluate(`scrollTo({ top: ${top}, behavior: 'instant' })`);
        // Playwright's trial click fails if another element would receive the tap.
        await bar.click({ trial: true });
        await banner.getByRole('button').click({ trial: true });
        const [over, under] = [await bar.boundingBox(), await banner.boundingBox()];
        expect((over?.y ?? 0) + (over?.height ?? 0), place).toBeLessThanOrEqual(under?.y ?? 0);
      }
      await context.setOffline(false);
      await expect(banner).toHaveCount(0);
      await expect.poll(async () => Math.round(740 - ((await bar.boundingBox())?.y ?? 0))).toBeLessThan(80);
    }
  });

  await test.step('a page that was never seen is made by its own code or says that it cannot, and nobody is signed out', async () => {
    const { token } = await register(shop, 'Mary Jackson');
    await page.evaluate(`localStorage.setItem('token', ${JSON.stringify(token)})`);
    // The home page by a link within the page: its code is stored, but no page of it.
    await page.getByRole('banner').getByRole('link').first().click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Coalfinch');
    await context.setOffline(true);
    await page.evaluate(`caches.open('pages').then((kept) => kept.delete('/'))`);
    for (const path of ['/terms', '/']) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Menu');
      await expect(banner, path).toContainText('as you last saw it');
    }
    for (const path of ['/login', '/no-such-page']) {
      await page.goto(path);
      await expect(page.getByRole('alert'), path).toContainText('No connection');
      await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(1);
      await expectAccessible(page, `${path} never seen, offline`);
    }
    await page.getByRole('banner').getByRole('link', { name: 'Menu' }).click();
    await expect(page.getByRole('heading', { name: 'Curries' })).toBeVisible();

    await page.goto('/customer/profile');
    await expect(page.getByRole('alert')).toContainText('No connection');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('alert')).toContainText('No connection');
    // With a connection the page tries again by itself.
    await context.setOffline(false);
    await expect(page.getByLabel('Name')).toHaveValue('Mary Jackson');

    // The phone is connected but the shop does not answer: only the button tries again.
    await page.route('**/v1/auth/user', (route) => route.abort());
    await page.reload();
    await expect(page.getByRole('alert')).toContainText('No connection');
    await page.unroute('**/v1/auth/user');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByLabel('Name')).toHaveValue('Mary Jackson');
  });
});

test('an order without a connection is not placed and says so, and is placed once the connection is back', async ({
  window,
  shop,
}) => {
  const page = await window(phone);
  await page.goto('/menu');
  await addDish(page);
  await goToCheckout(page);
  await fillCollection(page);
  const count = async () => {
    const { body } = await shop.api('GET', `/v1/orders?store_id=${shop.storeId}`, undefined, shop.adminToken);
    return (body['meta'] as { total: number }).total;
  };
  const before = await count();

  await page.context().setOffline(true);
  await expect(page.getByRole('status').filter({ hasText: 'You are offline' })).toBeVisible();
  await page.getByRole('button', { name: /^Place order/ }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'nothing was sent' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Checkout', level: 1 })).toBeVisible();
  await expectAccessible(page, 'checkout without a connection');
  expect(await count()).toBe(before);

  await page.context().setOffline(false);
  await placeOrder(page);
  expect(await count()).toBe(before + 1);

  // The order no longer changes: the page says from when it is, and says so again when it is opened again.
  const headline = page.getByRole('heading', { level: 1 });
  await expect(headline).toHaveText(/Waiting for the shop/);
  const number = await page.getByText(/^Order \d+$/).innerText();
  await page.context().setOffline(true);
  const asOf = page.getByText(/^You are offline\. This is your order as of \d\d:\d\d\.$/);
  await expect(asOf).toBeVisible();
  await expect(page.getByText('You need a connection to order')).toHaveCount(0);
  await expectAccessible(page, 'an order without a connection');
  await page.reload();
  await expect(asOf).toBeVisible();
  await expect(page.getByText(number, { exact: true })).toBeVisible();
  await expect(headline).toHaveText(/Waiting for the shop/);
  await expect(page.getByRole('region', { name: 'What you ordered' })).toContainText(burger);
  await expect(page.getByRole('region', { name: 'Collect from' })).toBeVisible();
  await expect(page.getByText('as you last saw it')).toHaveCount(0);
  // The page says why the rest of the order is missing.
  await expect(page.getByText(/not kept for reading offline/)).toBeVisible();
  await expectAccessible(page, 'an order opened without a connection');
  expect(await page.evaluate("localStorage.getItem('seen_orders')")).not.toContain('Grace Hopper');
  // The menu names the order too, and from when it is.
  await page.goto('/menu');
  await expect(page.getByText(new RegExp(`${number}: .* \\(as of \\d\\d:\\d\\d\\)`, 'i'))).toBeVisible();
  await page.goBack();
  await page.context().setOffline(false);
  await expect(asOf).toHaveCount(0);
  await expect(headline).toHaveText(/Waiting for the shop/);
});

test('a checkout that was first opened without a connection opens by itself once there is one', async ({ window }) => {
  const page = await window(phone);
  await page.addInitScript(savesData);
  await page.goto('/menu');
  await expect.poll(() => page.evaluate(isKept)).toBe(true);
  await addDish(page);
  await page.getByRole('button', { name: /View basket/ }).click();
  await page.context().setOffline(true);
  await page.getByRole('link', { name: /^Checkout/ }).click();
  await expect(page.getByRole('alert')).toContainText('No connection');
  await page.context().setOffline(false);
  await expect(page.getByRole('heading', { name: 'Checkout', level: 1 })).toBeVisible();
  await fillCollection(page);
  await placeOrder(page);
});

test('a checkout whose code was prefetched opens without a connection', async ({ window }) => {
  const page = await window(phone);
  await page.goto('/menu');
  await expect.poll(() => page.evaluate(isKept)).toBe(true);
  await addDish(page);
  await expect
    .poll(() =>
      page.evaluate(`performance.getEntriesByType('resource').some(({ name }) => /checkout-page/.test(name))`),
    )
    .toBe(true);
  await page.getByRole('button', { name: /View basket/ }).click();
  await page.context().setOffline(true);
  await page.getByRole('link', { name: /^Checkout/ }).click();
  await expect(page.getByRole('heading', { name: 'Checkout', level: 1 })).toBeVisible();
  await expect(page.getByText('You are offline.')).toBeVisible();
  await page.context().setOffline(false);
  await fillCollection(page);
  await placeOrder(page);
});

test('a phone that never lost its network tries again once the shop answers', async ({ window }) => {
  const page = await window(phone);
  await page.addInitScript(savesData);
  await page.clock.install();
  await page.goto('/menu');
  await addDish(page);
  const away = /\/(static\/assets\/[^/]+\.js|live)$/;
  await page.context().route(away, (route) => route.abort());
  await page.getByRole('button', { name: /View basket/ }).click();
  await page.getByRole('link', { name: /^Checkout/ }).click();
  await expect(page.getByRole('alert')).toContainText('No connection');
  await page.context().unroute(away);
  await page.clock.runFor(11_000);
  await expect(page.getByRole('heading', { name: 'Checkout', level: 1 })).toBeVisible();
});

test('a shop that is reached and never answers is shown as it was last seen, and answers once it can', async ({
  shop,
  window,
}) => {
  const page = await window(phone);
  await page.goto('/menu');
  await untilAllIsKept(page);
  const banner = page.getByRole('status').filter({ hasText: 'You are offline' });
  process.kill(shop.processId(), 'SIGSTOP');
  try {
    await page.goto('/menu');
    await expect(page.getByRole('heading', { name: 'Curries' })).toBeVisible();
    await expect(banner).toContainText('as you last saw it');
  } finally {
    process.kill(shop.processId(), 'SIGCONT');
  }
  await expect(banner).toBeHidden();
  await addDish(page);
  await goToCheckout(page);
  await fillCollection(page);
  await placeOrder(page);
});

test('after a visit straight to the checkout the menu opens without a connection, with its code', async ({
  window,
}) => {
  const page = await window(phone);
  // A prefetched page would bring the same files.
  await page.addInitScript(savesData);
  await page.goto('/checkout');
  await expect.poll(() => page.evaluate(isKept)).toBe(true);
  const missing = await page.evaluate(`(async () => {
    const menu = await (await (await caches.open('pages')).match('/menu', { ignoreVary: true })).text();
    const files = await caches.open('files');
    const parts = new Set(menu.match(/\\/(static\\/assets|shop)\\/[\\w.-]+/g));
    const kept = await Promise.all([...parts].map(async (part) => [part, await files.match(part, { ignoreVary: true })]));
    return kept.filter(([, file]) => !file).map(([part]) => part);
  })()`);
  expect(missing).toEqual([]);
  await page.context().setOffline(true);
  await page.goto('/menu');
  await expect(page.getByRole('heading', { name: 'Curries' })).toBeVisible();
});
