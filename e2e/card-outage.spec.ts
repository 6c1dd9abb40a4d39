import { openBoard, tap } from './board.ts';
import { fillCard, testWithKey as test } from './card-shop.ts';
import { readOrder } from './orders.ts';
import { newAddress } from './people.ts';
import { expect as expectAtOnce } from './shop.ts';
import { addDish, goToCheckout, fillCheckout, burger, orderIdOf, orderPage, phone, placeOrder } from './storefront.ts';

// A busy machine is slow; nothing here is measured.
test.setTimeout(240_000);
const expect = expectAtOnce.configure({ timeout: 30_000 });

test('while Stripe is down the basket stays, and the customer pays in cash instead, once', async ({
  shop,
  stripe,
  window,
}) => {
  const page = await window(phone);
  await fillCheckout(page);
  await page.getByRole('radio', { name: /^Card/ }).check({ force: true });
  stripe.control.faults.setDown(true);
  await page.getByRole('button', { name: /^Pay £/ }).click();
  await expect(page.getByText('We could not start the card payment.')).toBeVisible();
  const basket = page.getByRole('region', { name: 'Your basket' });
  await expect(basket).toContainText(burger);

  // Trying again replaces the order that waits, which is cancelled with it.
  const refused = page.waitForResponse((answer) => answer.url().endsWith('/v1/orders') && answer.status() === 503);
  await page.getByRole('button', { name: /^Pay £/ }).click();
  await refused;
  await expect(page.getByText('We could not start the card payment.')).toBeVisible();
  await expect(basket).toContainText(burger);

  await page.getByRole('radio', { name: /^Cash/ }).check({ force: true });
  const id = await placeOrder(page);
  expect(await readOrder(shop, { id })).toMatchObject({ status: 'placed', payment_method: 'cash' });

  // Nothing of the first try is left at Stripe once it is back, and the basket is empty.
  stripe.control.faults.setDown(false);
  expect([...stripe.control.books().tables['checkout.session'].values()]).toEqual([]);
  await page.goto('/checkout');
  await expect(page.getByText('Nothing in here yet')).toBeVisible();
});

test('once the key is withdrawn the board names the accepted order that is not paid, and checkout has no cards', async ({
  shop,
  stripe,
  window,
}) => {
  const page = await window(phone);
  await fillCheckout(page);
  await page.getByLabel('Email').fill(newAddress());
  await page.getByRole('radio', { name: /^Card/ }).check({ force: true });
  await page.getByRole('button', { name: /^Pay £/ }).click();
  await page.waitForURL(`${stripe.origin}/**`);
  await fillCard(page, '4242 4242 4242 4242');
  await page.waitForURL(orderPage);
  const order = await readOrder(shop, { id: orderIdOf(page) });
  expect(order).toMatchObject({ status: 'placed', payment_status: 'authorised' });

  const board = await openBoard(shop, await window());
  stripe.control.keys.revoke(stripe.secretKey);
  await tap(board, order, /^Accept/);
  await expect(board.getByText("Stripe does not accept the shop's key any more")).toBeVisible();
  await expect(board.getByText(`This order is not paid: ${order.number}.`)).toBeVisible();
  expect(await readOrder(shop, order)).toMatchObject({ status: 'accepted', payment_status: 'authorised' });

  // The next customer is not sent to a page that cannot be opened.
  await page.goto('/menu');
  await addDish(page);
  await goToCheckout(page);
  await expect(page.getByRole('radio', { name: /^Cash/ })).toBeAttached();
  await expect(page.getByRole('radio', { name: /^Card/ })).toHaveCount(0);
});
