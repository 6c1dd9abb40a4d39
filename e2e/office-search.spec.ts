import { randomUUID } from 'node:crypto';
import type { Route } from '@playwright/test';
import type { Shop } from '#testing/running-shop.ts';
import { expectAccessible, findFaultsInBoth } from './accessible.ts';
import { openOffice } from './office.ts';
import { moveOrder, sendOrder } from './orders.ts';
import { hire, register } from './people.ts';
import { expect, test } from './shop.ts';

test('one field finds a page, a setting, a dish, an order and a customer, and gives the focus back', async ({
  shop,
  window,
}) => {
  const page = await openOffice(shop, await window({ hasTouch: true }), '/admin/menus');
  const search = page.getByRole('main').getByLabel('Search', { exact: true });
  await search.focus();
  await page.keyboard.press('Control+k');
  const dialog = page.getByRole('dialog', { name: 'Search the office' });
  const field = dialog.getByRole('textbox', { name: 'Page, setting, dish, order or person' });
  await expect(field).toBeFocused();
  expect(await findFaultsInBoth(page, 'light')).toEqual([]);
  await page.keyboard.type('xyzzy');
  await expect(dialog).toContainText('No matches');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(search).toBeFocused();

  const find = async (text: string, result: string | RegExp): Promise<void> => {
    await page.keyboard.press('Control+k');
    await field.fill(text);
    await dialog.getByRole('button', { name: result }).click();
    await expect(dialog).toHaveCount(0);
  };
  await page.keyboard.press('Control+k');
  await expect(field).toBeFocused();
  await page.keyboard.type('compl');
  await expect(dialog.getByRole('button').first()).toHaveText('Complaints');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Complaints', level: 1 })).toBeVisible();

  await test.step('Enter waits for the results and opens the first', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(/\/v1\/(orders|customers|staff)\?.*search=battered/, async (route) => {
      await held;
      await route.continue();
    });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('battered on');
    await page.keyboard.press('Enter');
    await expect(dialog).toContainText('Searching…');
    release();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByRole('complementary', { name: 'Battered onion rings' })).toBeVisible();
    await page.unrouteAll({ behavior: 'wait' });
  });

  await test.step('words that an owner says find pages, settings and people of the shop', async () => {
    await hire(shop, 'Zebedee Quill');
    const first = async (text: string, result: string | RegExp): Promise<void> => {
      await page.keyboard.press('Control+k');
      await field.fill(text);
      await expect(dialog.getByRole('button', { name: result }).first(), text).toBeVisible();
      await page.keyboard.press('Escape');
    };
    await first('go live', 'Set up your shop');
    await first('delivery fee', 'Delivery and location');
    await first('christmas', 'Calendar and holidays');
    await first('opening times', 'Opening hours');
    await first('password', 'My sign-in');
    await first('zebedee', /Zebedee Quill/);
  });

  await find('vat num', /VAT number/);
  await expect(page.getByRole('textbox', { name: 'VAT number' })).toBeVisible();
  await find('onion rings', /Battered onion rings/);
  await expect(page.getByRole('complementary', { name: 'Battered onion rings' })).toBeVisible();
  const { number } = await sendOrder(shop, { contact: { name: 'Ottilie Quince', phone: '07700 900321' } });
  await find('ottilie', `#${number} Ottilie Quince`);
  await expect(page).toHaveURL(/\/store\/orders$/);
  await expect(page.getByRole('dialog', { name: `Order ${number}` })).toContainText('Ottilie Quince');
  await page.keyboard.press('Escape');
  const customer = await register(shop, 'Wilhelmina Oakes');
  await find('wilhelmina', /Wilhelmina Oakes/);
  await expect(page.getByRole('row', { name: 'Wilhelmina Oakes' })).toContainText(customer.email);
});

test('if the search loses the connection, it says so, and still finds pages', async ({ shop, window }) => {
  const page = await openOffice(shop, await window(), '/admin/staff');
  await page.getByRole('button', { name: 'Search the office' }).click();
  const dialog = page.getByRole('dialog', { name: 'Search the office' });
  await page.route(/\/v1\/(orders|customers)\?/, (route) => route.abort());
  await dialog.getByRole('textbox').fill('payments');
  await expect(dialog).toContainText('could not all be searched');
  await expect(dialog.getByRole('button', { name: 'Payments', exact: true })).toBeVisible();
});

test('the sidebar unfolds the group of the open page, is narrow if asked to be, and a phone has a drawer', async ({
  shop,
  window,
}) => {
  const page = await openOffice(shop, await window({ hasTouch: true }), '/admin/items');
  const sidebar = page.getByRole('navigation', { name: 'Office' });
  await expect(sidebar.getByRole('link', { name: 'Dishes' })).toHaveAttribute('aria-current', 'page');
  await sidebar.getByRole('button', { name: 'Money' }).click();
  await sidebar.getByRole('link', { name: 'Payments', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Payments', level: 1 })).toBeVisible();
  await sidebar.getByRole('button', { name: 'Icons only' }).click();
  await page.reload();
  await sidebar.getByRole('button', { name: 'People' }).click();
  await page.getByRole('menuitem', { name: 'Staff' }).click();
  await expect(page.getByRole('heading', { name: 'Staff', level: 1 })).toBeVisible();
  await sidebar.getByRole('button', { name: 'Names' }).click();
  expect(await findFaultsInBoth(page, 'light')).toEqual([]);

  await page.setViewportSize({ width: 390, height: 844 });
  await expect(sidebar).toHaveCount(0);
  await page.getByRole('button', { name: 'All pages' }).tap();
  await page.getByRole('link', { name: 'Customers' }).tap();
  await expect(page.getByRole('heading', { name: 'Customers', level: 1 })).toBeVisible();
  await expectAccessible(page);
});

test('rows of a list are 44 px high, and a phone shows ten of them', async ({ shop, window }) => {
  const page = await openOffice(shop, await window(), '/admin/items');
  const rows = page.getByRole('row');
  await expect(rows.nth(12)).toBeAttached();
  const box = await rows.nth(3).boundingBox();
  expect(box?.height).toBeGreaterThanOrEqual(44);
  expect(box?.height).toBeLessThan(46);
  await page.setViewportSize({ width: 390, height: 844 });
  // Beside a reminder, whichever it is.
  await expect(page.getByRole('region', { name: 'Protect your sign-in' })).toBeVisible();
  await expect(rows.nth(10)).toBeInViewport({ ratio: 1 });
  await page.getByRole('button', { name: 'Not this week' }).click();
  await expect(page.getByRole('region', { name: 'Your backups are on this computer only' })).toBeVisible();
  await expect(rows.nth(10)).toBeInViewport({ ratio: 1 });
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByLabel('On sale').selectOption({ index: 1 });
  await expect(page.getByRole('button', { name: 'Filter (1)' })).toBeVisible();
  await expectAccessible(page);

  await fillLists(shop);
  await page.route(/\/v1\/(disputes|payouts)\?/, answerAsProvider);
  for (const [path, row] of longLists) {
    await page.goto(path);
    await expect(rows.filter({ hasText: row }).first(), path).toBeVisible();
    await expect(rows.nth(10), path).toBeInViewport({ ratio: 1 });
    await expectAccessible(page, path);
  }
  await page.goto('/admin/payments');
  const cells = rows.filter({ hasText: 'Order 10' }).getByRole('cell');
  const [title, total] = [
    await cells.first().boundingBox(),
    await cells.filter({ hasText: '£' }).first().boundingBox(),
  ];
  expect(Math.abs((total?.y ?? 0) - (title?.y ?? 0)), 'the total is beside the number').toBeLessThan(8);
});

/** The office's lists that grow with the shop, each with the words of one of its rows. */
const longLists = [
  ['/admin/payments', 'Order 10'],
  ['/admin/payments?show=refunds', 'Order 10'],
  ['/admin/payments?show=disputes', 'Order 10'],
  ['/admin/payments?show=payouts', 'November 2026'],
  ['/admin/complaints', 'Guest 10'],
  ['/admin/customers', 'Guest 10'],
  ['/admin/staff', 'Guest 10'],
  ['/admin/offers', 'Offer 10'],
  ['/admin/mail', 'Guest 10'],
  ['/admin/audit', 'Guest 10'],
  ['/admin/categories', 'Desserts'],
  ['/admin/options', '10 inch'],
  ['/admin/option-groups', 'Base'],
] as const;

/** Ten refunded orders, complaints, customers, members of staff and offers. */
async function fillLists(shop: Shop): Promise<void> {
  const post = async (path: string, body: object): Promise<void> => {
    const answer = await shop.api('POST', path, body, shop.adminToken);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  };
  for (let count = 1; count <= 10; count += 1) {
    const [name, email] = [`Guest ${count}`, `guest.${count}@example.com`];
    const order = await sendOrder(shop, { contact: { name, phone: '07700 900321', email } });
    await moveOrder(shop, order, 'accept', { minutes: 20 });
    await moveOrder(shop, order, 'packed');
    await moveOrder(shop, order, 'collected-by-customer', { paid_by: 'cash' });
    await post(`/v1/orders/${order.id}/refunds`, { key: randomUUID(), amount: 100, reason: 'It came cold and late' });
    const complaint = { key: randomUUID(), about: 'order', name, email, order_number: order.number };
    await post('/v1/complaints', { ...complaint, message: 'It was cold.' });
    await register(shop, name);
    await post('/v1/staff', { name, email, role: 'store_admin', store_ids: [shop.storeId] });
    await post('/v1/offers', { store_id: shop.storeId, name: `Offer ${count}`, kind: 'percent', value: 1_000 });
  }
}

/** Answers with the disputes and payouts of a provider, which only a shop with card keys has. */
async function answerAsProvider(route: Route): Promise<void> {
  const shared = {
    currency: 'GBP',
    mode: 'test',
    created_at: '2026-11-20T12:00:00.000Z',
    link: 'https://stripe.test/',
  };
  const rows = Array.from({ length: 10 }, (_, at) =>
    route.request().url().includes('disputes')
      ? {
          ...shared,
          id: `dp_${at}`,
          order_id: randomUUID(),
          order_number: String(at + 1),
          store_id: randomUUID(),
          payment_id: randomUUID(),
          customer_name: 'Bartholomew Featherstone',
          amount: 1_850,
          reason: 'product_not_received',
          status: at % 2 === 0 ? 'lost' : 'needs_response',
          respond_by: '2099-12-24T12:00:00.000Z',
          closed_at: null,
        }
      : {
          ...shared,
          id: `po_${at}`,
          amount: 123_456,
          status: 'paid',
          failure: null,
          is_automatic: true,
          arrives_on: `2026-11-${10 + at}`,
          orders: 40,
          sums: { charged: 130_000, refunded: 1_000, disputed: 0, fees: 5_544, other: 0 },
        },
  );
  // No dispute waits for an answer on the other pages, whose alert would come first.
  const data = route.request().url().includes('state=unanswered') ? [] : rows;
  const meta = { total: data.length, total_is_exact: true, current_page: 1, last_page: 1, per_page: 25 };
  await route.fulfill({ json: { data, meta, links: { first: null, last: null, prev: null, next: null } } });
}
