import { expectAccessible } from './accessible.ts';
import { expect, test } from './shop.ts';
import { sendOrder } from './orders.ts';
import { addDish, burger, fillCollection, goToCheckout, phone, placeOrder } from './storefront.ts';

test.use({ serviceWorkers: 'allow' });

/** Waits until the service worker controls the page and has stored its files. */
const isKept = `(async () => {
  await navigator.serviceWorker.ready;
  const pages = await (await caches.open('pages')).keys();
  const files = await (await caches.open('files')).keys();
  return Boolean(navigator.serviceWorker.controller) && pages.some(({ url }) => url.endsWith('/menu'))
    && files.some(({ url }) => url.includes('/shop/'));
})()`;

test('without a connection the last menu opens, shows its age, and sells nothing', async ({ window }) => {
  const page = await window({ viewport: { width: 390, height: 844 } });
  await page.goto('/menu');
  await expect.poll(() => page.evaluate(isKept)).toBe(true);
  const kept = await page.evaluate(`(async () => {
    const urls = [];
    for (const name of await caches.keys()) for (const { url } of await (await caches.open(name)).keys()) urls.push(url);
    return urls;
  })()`);
  expect(kept).not.toContainEqual(expect.stringMatching(/\/v1\/|\/orders\/|payment/));

  await page.context().setOffline(true);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Curries' })).toBeVisible();
  const banner = page.getByRole('status').filter({ hasText: 'You are offline' });
  await expect(banner).toContainText('as you last saw it');
  expect((await banner.boundingBox())?.height).toBeLessThan(60);
  await expectAccessible(page, 'the menu offline');

  await page
    .getByRole('link', { name: /Onion bhajis/ })
    .first()
    .click();
  await page.getByRole('button', { name: /^Add/ }).click();
  const refused = await page.evaluate(`fetch('/v1/stores').then(() => 'answered', () => 'refused')`);
  expect(refused).toBe('refused');

  await page.context().setOffline(false);
  await page.goto('/menu');
  await expect(banner).toHaveCount(0);
  await expect(page.getByText('View basket').or(page.getByText('Checkout')).first()).toBeVisible();
});

test('a stored page becomes the current one by itself once the connection is back', async ({ window, shop }) => {
  const page = await window(phone);
  await page.goto('/menu');
  await expect.poll(() => page.evaluate(isKept)).toBe(true);
  await page.context().setOffline(true);
  await page.reload();
  const banner = page.getByRole('status').filter({ hasText: 'You are offline' });
  await expect(banner).toContainText('as you last saw it');
  const link = page.getByRole('link', { name: /^Onion bhajis/ }).first();
  const item = `/v1/items/${/item=(.+)/.exec((await link.getAttribute('href')) ?? '')?.[1]}`;
  const rename = async (name: string) => (await shop.api('PATCH', item, { name }, shop.adminToken)).status;
  expect(await rename('Onion bhajis of today')).toBe(200);
  try {
    await page.context().setOffline(false);
    await expect(banner).toHaveCount(0, { timeout: 20_000 });
    await expect(link).toHaveAccessibleName(/^Onion bhajis of today/);
  } finally {
    expect(await rename('Onion bhajis')).toBe(200);
  }
});

for (const width of [360, 390]) {
  test(`without a connection the basket and the banner are both in reach, at a width of ${width} px`, async ({
    window,
  }) => {
    const page = await window({ viewport: { width, height: 740 }, hasTouch: true });
    await page.goto('/menu');
    await addDish(page);
    await page.context().setOffline(true);
    const banner = page.getByRole('status').filter({ hasText: 'You are offline' });
    const bar = page.getByRole('button', { name: /View basket/ });
    await expect(banner).toBeVisible();
    for (const place of ['the top', 'the end']) {
      if (place === 'the end')
        await page.evaluate('scrollTo({ top: document.body.scrollHeight, behavior: "instant" })');
      // Playwright's trial click fails if another element would receive the tap.
      await bar.click({ trial: true });
      await banner.getByRole('button').click({ trial: true });
      const [over, under] = [await bar.boundingBox(), await banner.boundingBox()];
      expect((over?.y ?? 0) + (over?.height ?? 0), place).toBeLessThanOrEqual(under?.y ?? 0);
    }
    await page.context().setOffline(false);
    await expect(banner).toHaveCount(0);
    await expect.poll(async () => Math.round(740 - ((await bar.boundingBox())?.y ?? 0))).toBeLessThan(80);
  });
}

test("without a connection no picture is broken: the list's picture or a plain plate is shown", async ({ window }) => {
  const page = await window(phone);
  await page.goto('/menu');
  const keptPages = `caches.open('pages').then((kept) => kept.keys()).then((keys) => keys.length)`;
  await expect.poll(() => page.evaluate(keptPages), { timeout: 20_000 }).toBe(5);
  await page.context().setOffline(true);
  const pictures = `[...document.images].filter(({ complete }) => complete)`;
  const broken = `${pictures}.filter(({ naturalWidth }) => naturalWidth === 0).map(({ src }) => src)`;

  await page
    .getByRole('link', { name: /Onion bhajis/ })
    .first()
    .click();
  await expect.poll(() => page.evaluate(`document.querySelector('dialog img')?.naturalWidth`)).toBe(224);
  await page.goto('/');
  await expect.poll(() => page.evaluate(`${pictures}.length`)).toBeGreaterThan(3);
  expect(await page.evaluate(broken)).toEqual([]);
});

test('after one visit to the menu the pages around it open without a connection, in the same language', async ({
  window,
}) => {
  const page = await window({ ...phone, locale: 'pl-PL' });
  await page.goto('/menu');
  const keptPages = `caches.open('pages').then((kept) => kept.keys()).then((keys) => keys.length)`;
  await expect.poll(() => page.evaluate(keptPages), { timeout: 20_000 }).toBe(5);
  await page.context().setOffline(true);
  const banner = page.getByRole('status').filter({ hasText: 'Nie masz połączenia' });
  for (const path of ['/', '/allergens', '/privacy', '/terms']) {
    await page.goto(path);
    await expect(page.locator('html')).toHaveAttribute('lang', 'pl');
    await expect(banner, path).toContainText('z ostatniej wizyty');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(0);
  }
});

test('without a connection each page shows its last state or says that it cannot, and nobody is signed out', async ({
  shop,
  window,
}) => {
  const customer = await shop.api('POST', '/v1/auth/register/customer', {
    name: 'Mary Jackson',
    email: `mary-${Date.now()}@example.com`,
    phone: '07700 900321',
    password: 'a long enough password',
  });
  const page = await window(phone);
  await page.goto('/menu');
  await page.evaluate(`localStorage.setItem('token', ${JSON.stringify(customer.body['token'])})`);
  await expect.poll(() => page.evaluate(isKept)).toBe(true);
  // The home page by a link within the page: its code is stored, but no page of it.
  await page.getByRole('banner').getByRole('link').first().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Coalfinch');
  await page.goto('/terms');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();

  await page.context().setOffline(true);
  const banner = page.getByRole('status').filter({ hasText: 'You are offline' });
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
  await page.context().setOffline(false);
  await expect(page.getByLabel('Name')).toHaveValue('Mary Jackson');

  // The phone is connected but the shop does not answer: only the button tries again.
  await page.route('**/v1/auth/user', (route) => route.abort());
  await page.reload();
  await expect(page.getByRole('alert')).toContainText('No connection');
  await page.unroute('**/v1/auth/user');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByLabel('Name')).toHaveValue('Mary Jackson');
});

test('the shop is in Polish for a browser that asks for it, and by a link that works without a script', async ({
  window,
}) => {
  const page = await window({ locale: 'pl-PL', javaScriptEnabled: false });
  await page.goto('/');
  await expect(page.locator('html')).toHaveAttribute('lang', 'pl');
  await expect(page.getByRole('link', { name: 'Zamów teraz' })).toBeVisible();
  await page.getByRole('link', { name: 'English' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await page.goto('/menu');
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
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

test('an order that the shop cannot deliver shows in its last known state, and says so', async ({ window, shop }) => {
  const { id, number } = await sendOrder(shop);
  const page = await window(phone);
  await page.goto(`/orders/${id}`);
  await expect(page.getByText(`Order ${number}`, { exact: true })).toBeVisible();
  await page.route(`**/v1/orders/${id}`, (route) => route.abort());
  await page.clock.setFixedTime(Date.now() + 3 * 60 * 60_000);
  await page.reload();
  await expect(page.getByText(/^The shop cannot be reached at the moment\. This is your order as of/)).toBeVisible();
  await expect(page.getByText(`Order ${number}`, { exact: true })).toBeVisible();
  // Whether it is late is unknown.
  await expect(page.getByText(/min late/)).toHaveCount(0);
});

for (const colorScheme of ['light', 'dark'] as const) {
  for (const path of ['/', '/allergens', '/terms', '/privacy', '/no-such-page']) {
    test(`${path} has no accessibility faults on a small phone, ${colorScheme}`, async ({ window }) => {
      const page = await window({ viewport: { width: 360, height: 740 }, colorScheme });
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      // The later parts of the table repeat the first ones, with a thousand cells each.
      await expectAccessible(page, path, 'section:has(.allergens) ~ section:has(.allergens)');
    });
  }
}
