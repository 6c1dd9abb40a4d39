import { openBoard, tap } from './board.ts';
import { testWithKey as test } from './card-shop.ts';
import { readOrder, sendOrder } from './orders.ts';
import { expect } from './shop.ts';
import { burger, fillCollection, openCheckout, openPart, payWith, phone, placeOrder } from './storefront.ts';

// A busy machine is slow; nothing here is measured.

test('while Stripe is down the basket stays, and the customer pays in cash instead, once; without its key there are no cards', async ({
  key,
  shop,
  stripe,
  window,
}) => {
  const sessions = stripe.control.books().tables['checkout.session'];
  // The check of the key opened and ended pages of the shop's own.
  const ofCustomers = () => [...sessions.values()].filter(({ metadata }) => metadata?.['trial'] === undefined);
  const page = await window(phone);
  await openCheckout(shop, page);
  await fillCollection(page);
  await payWith(page, 'Card');
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

  await payWith(page, 'Cash');
  const id = await placeOrder(page);
  expect(await readOrder(shop, { id })).toMatchObject({ status: 'placed', payment_method: 'cash' });

  // Nothing of the first try is left at Stripe once it is back, and the basket is empty.
  stripe.control.faults.setDown(false);
  expect(ofCustomers()).toEqual([]);
  await page.goto('/checkout');
  await expect(page.getByText('Nothing in here yet')).toBeVisible();

  // Another customer's order is paid and accepted as the key is withdrawn: the board says that it is not charged.
  const order = await sendOrder(shop, { payment_method: 'card' });
  stripe.control.pay(ofCustomers()[0]?.id ?? '');
  await expect.poll(() => readOrder(shop, order)).toMatchObject({ status: 'placed', payment_status: 'authorised' });
  const board = await openBoard(shop, await window());
  stripe.control.keys.revoke(key);
  await tap(board, order, /^Accept/);
  await expect(board.getByText("Stripe does not accept the shop's key any more")).toBeVisible();
  await expect(board.getByText(`This order is not paid: ${order.number}.`)).toBeVisible();
  expect(await readOrder(shop, order)).toMatchObject({ status: 'accepted', payment_status: 'authorised' });

  // The next customer is not sent to a page that cannot be opened.
  await openCheckout(shop, page);
  await openPart(page, 'pay');
  await expect(page.getByRole('radio', { name: /^Cash/ })).toBeAttached();
  await expect(page.getByRole('radio', { name: /^Card/ })).toHaveCount(0);
});
