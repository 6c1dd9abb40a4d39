import type { Page } from '@playwright/test';
import { findLostText, setTextSize } from './large-text.ts';
import { moveOrder, sendOrder } from './orders.ts';
import { register } from './people.ts';
import { expect, test } from './shop.ts';
import { addDish, burger, changeDish, phone, placeOrder } from './storefront.ts';

/** Checks one state after the other. `lost` collects the states in which something was lost, for one assertion. */
function looker(page: Page) {
  const lost: Record<string, string[]> = {};
  const look = async (state: string) => {
    const found = await findLostText(page);
    if (found.length > 0) lost[state] = found;
  };
  return { lost, look };
}

/** The fields that a notice covers. */
const covered = `[...document.querySelectorAll('input:not([type=radio], [type=checkbox], [type=hidden]), select, textarea')].filter((field) => {
  const one = field.getBoundingClientRect();
  return [...document.querySelectorAll('[role=status] > .bg-ink')].some((notice) => {
    const other = notice.getBoundingClientRect();
    return one.width > 0 && one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
  });
}).map(({ name }) => name)`;

for (const [width, height] of [
  [320, 640],
  [360, 740],
  [390, 844],
] as const) {
  test(`with text at 200 % nothing is lost at a width of ${width} px`, async ({ shop, window }) => {
    test.setTimeout(240_000);
    const page = await window({ viewport: { width, height }, hasTouch: true });
    await setTextSize(page, 200);
    const { lost, look } = looker(page);
    const heading = page.getByRole('heading', { level: 1 }).first();
    const see = async (path: string) => {
      await page.goto(path);
      await expect(heading).toBeVisible();
      await expect(heading).not.toHaveText(/Loading/);
      await look(path);
    };
    for (const path of [
      '/',
      '/allergens',
      '/privacy',
      '/terms',
      '/login',
      '/register',
      '/forgot-password',
      '/reset-password?token=x',
      '/verify-email',
      '/no-such-page',
      '/google-review',
      '/checkout',
    ])
      await see(path);

    await see('/menu');
    await page.getByRole('searchbox').fill('chicken');
    await expect(page.getByRole('status').filter({ hasText: /dishes found/ })).toBeVisible();
    await look('a search');
    await page.getByRole('searchbox').fill('xyzxyz');
    await expect(page.getByText('Nothing on the menu matches')).toBeVisible();
    await look('a search without end');
    await page.getByRole('searchbox').fill('');
    await page.getByRole('button', { name: /^Filter/ }).click();
    await expect(page.getByRole('dialog').getByRole('listitem').first()).toContainText(/\d/);
    await look('filter');
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('link', { name: /^Burger box/ }).click();
    await expect(page.getByRole('dialog').getByRole('button', { name: /^Add £/ })).toBeVisible();
    await look('a dish');
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await addDish(page);
    await expect(page.getByRole('button', { name: /View basket/ })).toBeVisible();
    await look('menu with basket');
    await page.getByRole('button', { name: /View basket/ }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await look('basket');
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await changeDish(shop, burger, { price: 990 });
    try {
      await page.reload();
      await page.getByRole('button', { name: /View basket/ }).click();
      await expect(page.getByRole('dialog')).toContainText(/Was £\d\.\d\d, now £9\.90/);
      await look('basket changed');
    } finally {
      await changeDish(shop, burger, { price: 850 });
    }
    await page.reload();
    await page.getByRole('link', { name: /^Checkout/ }).click();
    await expect(page.getByRole('heading', { name: 'Checkout', level: 1 })).toBeVisible();
    await page.getByRole('radio', { name: /^Delivery/ }).check({ force: true });
    await look('checkout, delivery');
    await page.getByLabel('Postcode').fill('CV21 2AA');
    await page.getByRole('radio', { name: /Choose a time/ }).check({ force: true });
    await page.getByRole('button', { name: /^(Place|Pay)/ }).click();
    await look('checkout, problems');
    await page.getByRole('radio', { name: /^Collection/ }).check({ force: true });
    await page.getByRole('radio', { name: /As soon/ }).check({ force: true });
    await page.getByLabel('Name').fill('Grace Hopper');
    await page.getByLabel('Phone').fill('07700 900456');
    await page.getByRole('radio', { name: /^Cash/ }).check({ force: true });
    await look('checkout, collection');
    const id = await placeOrder(page);
    await expect(heading).toHaveText(/Waiting for the shop/);
    await look('order placed');
    await page.getByRole('button', { name: 'Cancel the order' }).click();
    await look('cancel');
    await page.getByRole('button', { name: 'Keep it' }).click();
    await moveOrder(shop, { id }, 'accept', { minutes: 15 });
    await expect(heading).toHaveText(/cooking/);
    await look('order accepted');
    await page.goto('/menu');
    await expect(page.getByText(/^Your order \d+: /)).toBeVisible();
    await look('menu with an order under way');

    const { token } = await register(shop);
    const ordered = await sendOrder(shop, { quantity: 2 }, token);
    await moveOrder(shop, ordered, 'accept', { minutes: 15 });
    await moveOrder(shop, ordered, 'packed');
    await moveOrder(shop, ordered, 'collected-by-customer');
    await sendOrder(shop, { payment_method: 'card' }, token);
    await page.evaluate(`localStorage.setItem('token', ${JSON.stringify(token)})`);
    await see('/customer/orders');
    await see('/customer/profile');
    await page.getByRole('button', { name: 'Add an address' }).click();
    await page.getByRole('button', { name: 'Change email address' }).click();
    await look('profile, forms');
    await page.getByRole('region', { name: 'Addresses' }).getByLabel('Postcode').fill('CV21 2AA');
    await page.getByRole('region', { name: 'Addresses' }).getByLabel('Address', { exact: true }).fill('2 Low Road');
    await page.getByRole('region', { name: 'Addresses' }).getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Saved.')).toBeVisible();
    expect(await page.evaluate(covered), 'a notice covers no field').toEqual([]);
    await look('profile, saved');
    await page.getByRole('button', { name: /Account of/ }).click();
    await look('account menu');
    await see(`/orders/${ordered.id}`);
    await page.getByRole('button', { name: /^Order again/ }).click();
    await page.waitForURL('/checkout');
    await expect(page.getByText(/in your basket/)).toBeVisible();
    expect(await page.evaluate(covered), 'a notice covers no field').toEqual([]);
    await look('checkout, ordered again');
    await page
      .getByRole('button', { name: /^Remove/ })
      .first()
      .click();
    await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible();
    await look('checkout, taken out');
    expect(lost).toEqual({});
  });
}

test('with text at 150 % nothing is lost on the home page and the menu on a phone', async ({ window }) => {
  const page = await window(phone);
  await setTextSize(page, 150);
  const { lost, look } = looker(page);
  for (const path of ['/', '/menu']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await look(path);
  }
  expect(lost).toEqual({});
});

test('a page whose own text is enlarged, as extensions and phones do it, does not scroll sideways', async ({
  window,
}) => {
  for (const width of [320, 390]) {
    const page = await window({ viewport: { width, height: 844 } });
    for (const path of ['/', '/menu', '/allergens', '/login', '/register', '/terms', '/checkout']) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
      await page.addStyleTag({ content: 'html { font-size: 200% !important }' });
      expect(await page.evaluate('document.scrollingElement.scrollWidth'), `${path}, ${width} px wide`).toBe(width);
    }
  }
});
