import { clockTextOf, wallTimeAt } from '#platform/zone-clock.ts';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './shop.ts';
import {
  addDish,
  burger,
  changeDish,
  changeStore,
  chooseWay,
  fillCollection,
  goToCheckout,
  openPart,
  payByCard,
  phone,
  placeOrder,
} from './storefront.ts';

test('without a connection basket and checkout keep everything, and continue once it is back', async ({ window }) => {
  const page = await window(phone);
  await page.goto('/menu');
  await addDish(page);
  await goToCheckout(page);
  await fillCollection(page);
  await openPart(page, 'notes');
  await page.getByLabel(/Allergies/).fill('No nuts please');
  await page.context().setOffline(true);
  await page.getByRole('button', { name: /^Place order/ }).click();
  await expect(page.getByRole('alert')).toContainText('nothing was sent');
  await expectAccessible(page, 'checkout offline');
  await expect(page.getByLabel('Name')).toHaveValue('Grace Hopper');
  await expect(page.getByLabel(/Allergies/)).toHaveValue('No nuts please');
  await page.context().setOffline(false);
  await page.reload();
  await expect(page.getByLabel(/Allergies/)).toHaveValue('No nuts please');
  await placeOrder(page);
  await expect(page.getByRole('main')).toContainText('No nuts please');
});

test('if a shop closes while a customer chooses, the basket stays, and the shop accepts the order when it is open again', async ({
  shop,
  window,
}) => {
  const page = await window();
  await page.goto('/menu');
  await addDish(page);
  await goToCheckout(page);
  await fillCollection(page);
  await changeStore(shop, { is_accepting_orders: false });
  try {
    const basket = page.getByRole('region', { name: 'Your basket' });
    await expect(basket).toContainText('Not taking orders at the moment. Your basket is kept');
    await expect(basket).toContainText(burger);
    await expect(page.getByRole('button', { name: /^Place order/ })).toHaveCount(0);
    await expect(page.getByLabel('Name')).toBeHidden();
    await expect(page.getByText('No times left')).toBeHidden();
    await expect(basket.getByRole('link', { name: 'See the menu' })).toBeVisible();
    await expectAccessible(page, 'checkout while no orders are taken');
    await page.goto('/');
    await expect(page.getByRole('link', { name: 'Order now' })).toHaveCount(0);
    await expect(page.getByRole('main').getByRole('link', { name: 'See the menu' })).toBeVisible();
    await page.goto('/menu');
    await expect(page.getByRole('complementary', { name: 'Your basket' })).toContainText('Not taking orders');
    await page
      .getByRole('link', { name: new RegExp(`^${burger}`) })
      .first()
      .click();
    await expect(page.getByRole('dialog')).toContainText('Not taking orders');
    await expect(page.getByRole('dialog').getByRole('button', { name: /^Add £/ })).toHaveCount(0);
    await expectAccessible(page, 'a dish while no orders are taken');
  } finally {
    await changeStore(shop, { is_accepting_orders: true });
  }
  await page.goto('/checkout');
  await expect(page.getByLabel('Name')).toHaveValue('Grace Hopper');
  await placeOrder(page);
});

test('an invalid postcode has an error when its field is left, and missing fields are listed in the order of the page', async ({
  window,
}) => {
  const page = await window(phone);
  await page.goto('/menu');
  await addDish(page);
  await goToCheckout(page);
  await chooseWay(page, 'Delivery');
  const postcode = page.getByLabel('Postcode');
  await postcode.fill('ZZZ');
  await expect(page.getByText('Enter a full UK postcode')).toHaveCount(0);
  await postcode.press('Tab');
  await expect(page.getByRole('status').filter({ hasText: 'Enter a full UK postcode' })).toBeVisible();
  await expect(postcode).toHaveAttribute('aria-invalid', 'true');
  await page.getByRole('button', { name: /^(Pay|Place order)/ }).click();
  await expect(page.getByText('Enter a full UK postcode')).toHaveCount(2);
  const fields = await page
    .getByRole('alert')
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  expect(fields).toEqual([
    '#field-address-postcode',
    '#field-address-line1',
    '#field-contact-name',
    '#field-contact-phone',
  ]);
});

test('a chosen time that falls into a break is reported as such, and not as full', async ({ shop, window }) => {
  const page = await window();
  await page.goto('/menu');
  await addDish(page);
  const pause = `/v1/stores/${shop.storeId}/pause`;
  // The shop's day ends at five. A break until shortly before five would leave no time, so then it lasts past five.
  const hour = Number(clockTextOf(wallTimeAt('Europe/London', Date.now())).slice(0, 2));
  const minutes = hour === 3 || hour === 4 ? 180 : 60;
  expect((await shop.api('POST', pause, { minutes }, shop.adminToken)).status).toBeLessThan(300);
  try {
    await goToCheckout(page);
    await chooseWay(page, 'Collection');
    await openPart(page, 'when');
    const times = page.getByRole('combobox', { name: 'Time', exact: true });
    await expect(times.getByRole('option', { name: /on a break until \d\d:\d\d$/ }).first()).toBeAttached();
    await expect(times.getByRole('option', { name: /full$/ })).toHaveCount(0);
  } finally {
    await shop.api('POST', `/v1/stores/${shop.storeId}/resume`, undefined, shop.adminToken);
  }
});

test('a price that changes while a customer chooses is shown at its line, and must be confirmed', async ({
  shop,
  window,
}) => {
  const page = await window();
  await page.goto('/menu');
  await addDish(page, 'Skin-on chips');
  await changeDish(shop, 'Skin-on chips', { price: 495 });
  try {
    await page.reload();
    const basket = page.getByRole('complementary', { name: 'Your basket' });
    await expect(basket).toContainText(/Was £\d\.\d\d, now £\d\.\d\d/);
    await goToCheckout(page);
    await fillCollection(page);
    await page.getByRole('button', { name: /^Place order/ }).click();
    await expect(page.getByRole('alert')).toContainText('has changed since you chose it');
    await expectAccessible(page, 'price changed');
    await page.getByRole('button', { name: /^Keep it for £/ }).click();
    await placeOrder(page);
  } finally {
    await changeDish(shop, 'Skin-on chips', { price: 375 });
  }
});

test('a dish that sells out stays in the basket with a button to remove it, and removing it can be undone', async ({
  shop,
  window,
}) => {
  const page = await window();
  await page.goto('/menu');
  await addDish(page);
  await addDish(page, 'Skin-on chips');
  await changeDish(shop, 'Skin-on chips', { is_available: false });
  try {
    await page.reload();
    const basket = page.getByRole('complementary', { name: 'Your basket' });
    await expect(basket).toContainText('Skin-on chips is sold out');
    const takeOut = basket.getByRole('button', { name: 'Remove Skin-on chips' }).last();
    await takeOut.click();
    await expect(basket.getByRole('listitem').filter({ hasText: 'Skin-on chips' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(basket).toContainText('Skin-on chips is sold out');
    await expectAccessible(page, 'sold out in the basket');
    await takeOut.click();
    await goToCheckout(page);
    await fillCollection(page);
    await placeOrder(page);
  } finally {
    await changeDish(shop, 'Skin-on chips', { is_available: true });
  }
});

test('a declined card is reported plainly, on a page without accessibility faults', async ({ window }) => {
  const page = await window(phone);
  await page.goto('/menu');
  await addDish(page);
  await goToCheckout(page);
  await fillCollection(page);
  await payByCard(page);
  await page.getByRole('button', { name: 'Decline the card' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/did not go through/);
  await expectAccessible(page, 'card declined');
});
