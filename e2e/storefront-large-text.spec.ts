import type { Page } from '@playwright/test';
import { findFaults, rulesOfLooks } from './accessible.ts';
import { findLostText, setTextSize } from './large-text.ts';
import { moveOrder, sendOrder } from './orders.ts';
import { register } from './people.ts';
import { expect, test } from './shop.ts';
import { addDish, burger, changeDish, chooseWay, openPart, payWith, placeOrder } from './storefront.ts';

const widths = [
  [320, 640],
  [360, 740],
  [390, 844],
] as const;

/**
 * Checks one state after the other, at each width. `lost` collects the states in which something was lost, for one assertion;
 * `lookCovered` also says which fields a notice covers.
 */
function looker(page: Page) {
  const lost: Record<string, string[]> = {};
  const lookAt = async (state: string, isCovering: boolean, only?: number) => {
    for (const [width, height] of widths) {
      if (only !== undefined && only !== width) continue;
      await page.setViewportSize({ width, height });
      const found = await findLostText(page);
      if (isCovering) found.push(...(await page.evaluate<string[]>(covered)).map((name) => `a notice covers ${name}`));
      if (found.length > 0) lost[`${state}, ${width} px`] = found;
    }
  };
  const look = (state: string, only?: number) => lookAt(state, false, only);
  return { lost, look, lookCovered: (state: string) => lookAt(state, true) };
}

/** The fields that a notice covers. */
const covered = `[...document.querySelectorAll('input:not([type=radio], [type=checkbox], [type=hidden]), select, textarea')].filter((field) => {
  const one = field.getBoundingClientRect();
  return [...document.querySelectorAll('[role=status] > .bg-ink')].some((notice) => {
    const other = notice.getBoundingClientRect();
    return one.width > 0 && one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
  });
}).map(({ name }) => name)`;

test('with text at 200 % nothing is lost on a small phone on the way from the menu to the order and the account', async ({
  shop,
  window,
}) => {
  const page = await window({ viewport: { width: 320, height: 640 }, hasTouch: true });
  await setTextSize(page, 200);
  const { lost, look, lookCovered } = looker(page);
  const heading = page.getByRole('heading', { level: 1 }).first();
  const see = async (path: string) => {
    await page.goto(path);
    await expect(heading).toBeVisible();
    await expect(heading).not.toHaveText(/Loading/);
    await look(path);
  };
  await see('/menu');
  await page.getByRole('searchbox').fill('chicken');
  await expect(page.getByRole('status').filter({ hasText: /dishes found/ })).toBeVisible();
  await look('a search');
  await page.getByRole('searchbox').fill('xyzxyz');
  await expect(page.getByText('Nothing on the menu matches')).toBeVisible();
  await look('a search without end');
  await page.getByRole('searchbox').fill('');
  await page.getByRole('button', { name: /^Diet/ }).click();
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
    await page.getByRole('button', { name: /View basket/ }).click();
    await expect(page.getByRole('dialog')).toContainText(/Was £\d\.\d\d, now £9\.90/);
    await look('basket changed');
  } finally {
    await changeDish(shop, burger, { price: 850 });
  }
  await expect(page.getByRole('dialog')).not.toContainText('Was £');
  await page
    .getByRole('dialog')
    .getByRole('link', { name: /^Checkout/ })
    .click();
  await expect(page.getByRole('heading', { name: 'Checkout', level: 1 })).toBeVisible();
  await chooseWay(page, 'Delivery');
  await look('checkout, delivery');
  await page.getByLabel('Postcode').fill('CV21 2AA');
  await openPart(page, 'when');
  await page.getByRole('radio', { name: /Choose a time/ }).check({ force: true });
  await page.getByRole('button', { name: /^(Place|Pay)/ }).click();
  await look('checkout, problems');
  await chooseWay(page, 'Collection');
  await openPart(page, 'when');
  await page.getByRole('radio', { name: /As soon/ }).check({ force: true });
  await openPart(page, 'who');
  await page.getByLabel('Name').fill('Grace Hopper');
  await page.getByLabel('Phone').fill('07700 900456');
  await payWith(page, 'Cash');
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
  await lookCovered('profile, saved');
  await page.getByRole('button', { name: /Account of/ }).click();
  await look('account menu');
  await see(`/orders/${ordered.id}`);
  await page.getByRole('button', { name: /^Order again/ }).click();
  await page.waitForURL('/checkout');
  await expect(page.getByText(/in your basket/)).toBeVisible();
  await lookCovered('checkout, ordered again');
  await page
    .getByRole('button', { name: /^Remove/ })
    .first()
    .click();
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible();
  await look('checkout, taken out');
  expect(lost).toEqual({});
});

/** The headings of what is not found; one address cannot be decoded. */
const nowhere = new Map([
  ['/%E0%A4%A', 'Page not found'],
  ['/orders/0192aaaa-0000-7000-8000-000000000000', "We can't find this order"],
]);

/** The pages of a visitor; axe checks the last six. */
const paths = [
  '/login',
  '/register',
  '/forgot-password',
  '/reset-password?token=x',
  '/verify-email',
  '/google-review',
  '/checkout',
  '/menu',
  '/',
  '/allergens',
  '/terms',
  '/privacy',
  ...nowhere.keys(),
];
const withAxe = new Set(paths.slice(-6));
const enlarged = new Set(['/', '/menu', '/allergens', '/login', '/register', '/terms', '/checkout']);

test('each page has no accessibility faults on a small phone, and loses nothing with large text, however it is enlarged', async ({
  window,
}) => {
  const page = await window({ viewport: { width: 360, height: 740 }, hasTouch: true });
  const { lost, look } = looker(page);
  const heading = page.getByRole('heading', { level: 1 }).first();
  const faults: Record<string, string[]> = {};
  for (const path of paths) {
    const answer = await page.goto(path);
    expect(answer?.status(), path).toBe(nowhere.has(path) ? 404 : 200);
    await expect(heading).toBeVisible();
    await expect(heading).not.toHaveText(/Loading/);
    if (nowhere.has(path)) await expect(heading).toHaveText(nowhere.get(path) ?? '');
    for (const colorScheme of withAxe.has(path) ? (['dark', 'light'] as const) : []) {
      await page.setViewportSize({ width: 360, height: 740 });
      await page.emulateMedia({ colorScheme });
      // The later parts of the table repeat the first ones, with a thousand cells each. Light differs from dark in colours only.
      const part = colorScheme === 'light' ? { rules: rulesOfLooks } : {};
      const found = await findFaults(page, 'section:has(.allergens) ~ section:has(.allergens)', part);
      if (found.length > 0) faults[`${path}, ${colorScheme}`] = found;
    }
    // As a person sets it in the browser.
    await setTextSize(page, 200);
    await look(path);
    if (path === '/' || path === '/menu') {
      await setTextSize(page, 150);
      await look(`${path} at 150 %`, 390);
    }
    await setTextSize(page, 100);
    if (!enlarged.has(path)) continue;
    // As extensions and phones do it: the page's own text.
    await page.addStyleTag({ content: 'html { font-size: 200% !important }' });
    for (const width of [320, 390]) {
      await page.setViewportSize({ width, height: 844 });
      expect(await page.evaluate('document.scrollingElement.scrollWidth'), `${path}, ${width} px wide`).toBe(width);
    }
  }
  expect(faults).toEqual({});
  expect(lost).toEqual({});
});
