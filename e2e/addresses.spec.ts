import type { Page } from '@playwright/test';
import type { Shop } from '#testing/running-shop.ts';
import { expectAccessible } from './accessible.ts';
import { moveOrder, readOrder } from './orders.ts';
import { type Person, register, signedIn } from './people.ts';
import { expect, test } from './shop.ts';
import { addDish, goToCheckout, phone, placeOrder } from './storefront.ts';

const home = { line1: '12 High Street', line2: '', city: 'Rugby', postcode: 'CV21 2AA', instructions: 'Blue door' };

async function openDelivery(page: Page): Promise<void> {
  await page.goto('/menu');
  await addDish(page);
  await goToCheckout(page);
  const more = page.getByRole('button', { name: /^One more: / }).first();
  await more.click();
  await more.click();
  await page.getByRole('radio', { name: /^Delivery/ }).check({ force: true });
}

async function fillAddress(page: Page, { line1, postcode }: { line1: string; postcode: string }): Promise<void> {
  await page.getByLabel('Postcode').fill(postcode);
  await page.getByLabel('Address', { exact: true }).fill(line1);
}

async function payInCash(page: Page): Promise<string> {
  await page.getByRole('radio', { name: /^Cash/ }).check({ force: true });
  return placeOrder(page);
}

async function addressesOf(shop: Shop, { token }: Person): Promise<(typeof home)[]> {
  const { body } = await shop.api('GET', '/v1/auth/user', undefined, token);
  return (body['data'] as { addresses: (typeof home)[] }).addresses;
}

const saveSwitch = (page: Page) => page.getByRole('switch', { name: /^Save/ });

test("an order's address is saved unless the customer says no, and never twice", async ({ shop, window }) => {
  const person = await register(shop);
  const page = await signedIn(await window(phone), person.token);
  await openDelivery(page);
  await expect(saveSwitch(page)).toBeChecked();
  await fillAddress(page, home);
  await page.getByLabel(/^Note for the driver/).fill('Blue door');
  await expectAccessible(page, 'an address that is new');
  await payInCash(page);
  await expect.poll(() => addressesOf(shop, person)).toEqual([home]);

  // The same address again, chosen from the list: there is nothing to save.
  await openDelivery(page);
  await expect(page.getByRole('radio', { name: /^12 High Street/ })).toBeChecked();
  await expect(saveSwitch(page)).toBeHidden();
  const again = await payInCash(page);
  expect(await readOrder(shop, { id: again })).toMatchObject({ address: home });

  // Another address, which is not to be saved.
  await openDelivery(page);
  await page.getByRole('radio', { name: 'A different address' }).check({ force: true });
  await fillAddress(page, { line1: '3 Mill Lane', postcode: 'CV21 3BB' });
  await saveSwitch(page).uncheck();
  await payInCash(page);
  await page.goto('/customer/profile');
  await expect(page.getByText('12 High Street').first()).toBeVisible();
  expect(await addressesOf(shop, person)).toEqual([home]);
});

test('a saved address can be chosen, or changed without a second copy', async ({ shop, window }) => {
  const person = await register(shop);
  const gran = { ...home, line1: '3 Mill Lane', postcode: 'CV21 3BB', instructions: '' };
  await shop.api('PATCH', '/v1/auth/user', { addresses: [home, gran] }, person.token);
  const page = await signedIn(await window(phone), person.token);
  await openDelivery(page);
  const postcode = page.getByLabel('Postcode');
  await expect(postcode).toBeHidden();
  await page.getByRole('radio', { name: /^3 Mill Lane/ }).check({ force: true });
  await expect(page.getByRole('status').filter({ hasText: 'We deliver to you' })).toBeVisible();
  await expectAccessible(page, 'saved addresses to choose from');
  await page.getByRole('button', { name: 'Edit this address' }).click();
  await page.getByLabel('Address', { exact: true }).fill('5 Mill Lane');
  await expect(page.getByRole('switch', { name: 'Save the changes to this address' })).toBeChecked();
  // The change survives a reload, like everything else that is typed.
  await page.reload();
  await expect(page.getByLabel('Address', { exact: true })).toHaveValue('5 Mill Lane');
  const id = await payInCash(page);
  expect(await readOrder(shop, { id })).toMatchObject({ address: { line1: '5 Mill Lane', postcode: 'CV21 3BB' } });
  await expect.poll(() => addressesOf(shop, person)).toEqual([home, { ...gran, line1: '5 Mill Lane' }]);
});

test("Order again fills in that order's address", async ({ shop, window }) => {
  const person = await register(shop);
  const page = await signedIn(await window(phone), person.token);
  await openDelivery(page);
  await fillAddress(page, home);
  const id = await payInCash(page);
  await moveOrder(shop, { id }, 'accept', { minutes: 25 });
  await moveOrder(shop, { id }, 'collected-by-driver');
  await moveOrder(shop, { id }, 'delivered-to-customer');
  // Another device of the same person.
  const other = await signedIn(await window(), person.token);
  await other.goto(`/orders/${id}`);
  await other.getByRole('button', { name: /^Order again/ }).click();
  await expect(other.getByRole('radio', { name: /^Delivery/ })).toBeChecked();
  await expect(other.getByRole('radio', { name: /^12 High Street/ })).toBeChecked();
  await expect(other.getByRole('status').filter({ hasText: 'We deliver to you' })).toBeVisible();
});

test("a guest's details stay on the device until they are forgotten", async ({ shop, window }) => {
  const page = await window(phone);
  await openDelivery(page);
  const details = page.getByRole('region', { name: 'Your details' });
  await expect(details.getByText('kept on this device')).toBeVisible();
  await expect(details.getByRole('button', { name: 'Forget my details' })).toBeHidden();
  await fillAddress(page, home);
  await page.getByLabel('Name').fill('Grace Hopper');
  await page.getByLabel('Phone').fill('07700 900456');
  await payInCash(page);

  // On another day: the tab was closed.
  const later = await page.context().newPage();
  await openDelivery(later);
  await expect(later.getByLabel('Name')).toHaveValue('Grace Hopper');
  await expect(later.getByLabel('Phone')).toHaveValue('07700 900456');
  await expect(later.getByLabel('Address', { exact: true })).toHaveValue('12 High Street');
  await expect(later.getByLabel('Postcode')).toHaveValue('CV21 2AA');
  await expect(saveSwitch(later)).toBeHidden();
  const id = await payInCash(later);
  expect(await readOrder(shop, { id })).toMatchObject({ address: { line1: '12 High Street' } });

  await openDelivery(later);
  await later.getByRole('button', { name: 'Forget my details' }).click();
  await expect(later.getByText('no longer kept on this device')).toBeFocused();
  await expectAccessible(later, 'forgotten details');
  for (const label of ['Name', 'Phone', 'Postcode']) await expect(later.getByLabel(label)).toHaveValue('');
  await expect(later.getByLabel('Address', { exact: true })).toHaveValue('');
  await later.reload();
  for (const label of ['Name', 'Phone', 'Postcode']) await expect(later.getByLabel(label)).toHaveValue('');
  expect(await later.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain('Grace');
});

test('a customer who lives too far away switches the same basket to collection in one tap', async ({
  shop,
  window,
}) => {
  const page = await window(phone);
  await openDelivery(page);
  await page.getByLabel('Name').fill('Grace Hopper');
  await page.getByLabel('Phone').fill('07700 900456');
  await page.getByLabel('Postcode').fill('SW1A 1AA');
  await expect(page.getByText('we do not deliver to SW1A')).toBeVisible();
  await expectAccessible(page, 'out of the delivery area');
  await page.getByRole('button', { name: /^Collect it instead, ready about \d\d:\d\d$/ }).click();
  await expect(page.getByRole('radio', { name: /^Collection/ })).toBeChecked();
  await expect(page.getByRole('radio', { name: /^Collection/ })).toBeFocused();
  await expect(page.getByLabel('Postcode')).toBeHidden();
  const id = await payInCash(page);
  expect(await readOrder(shop, { id })).toMatchObject({
    fulfilment_type: 'collection',
    contact: { name: 'Grace Hopper' },
    lines: [{ name: 'Classic cheeseburger', quantity: 3 }],
  });
});
