import type { Page } from '@playwright/test';
import type { Shop } from '#testing/running-shop.ts';
import { startLocalAddresses } from '#simulators/addresses/local-addresses.ts';
import { expectAccessible } from './accessible.ts';
import { moveOrder, readOrder, sendOrder } from './orders.ts';
import { type Person, register, signedIn } from './people.ts';
import { expect, test } from './shop.ts';
import { burger, chooseWay, openCheckout, openPart, payWith, phone, placeOrder } from './storefront.ts';

const home = { line1: '12 High Street', line2: '', city: 'Rugby', postcode: 'CV21 2AA', instructions: 'Blue door' };
const gran = { ...home, line1: '3 Mill Lane', postcode: 'CV21 3BB', instructions: 'Ring twice' };

/** Above the minimum of every zone. */
async function openDelivery(shop: Shop, page: Page): Promise<void> {
  await openCheckout(shop, page, { [burger]: 3 });
  await chooseWay(page, 'Delivery');
}

async function fillAddress(page: Page, { line1, postcode }: { line1: string; postcode: string }): Promise<void> {
  await page.getByLabel('Postcode').fill(postcode);
  await page.getByLabel('Address', { exact: true }).fill(line1);
}

async function payInCash(page: Page): Promise<string> {
  await payWith(page, 'Cash');
  return placeOrder(page);
}

async function addressesOf(shop: Shop, { token }: Person): Promise<(typeof home)[]> {
  const { body } = await shop.api('GET', '/v1/auth/user', undefined, token);
  return (body['data'] as { addresses: (typeof home)[] }).addresses;
}

const saveSwitch = (page: Page) => page.getByRole('switch', { name: /^Save/ });
const answered = (page: Page) => page.getByRole('status').filter({ hasText: 'We deliver to you' });

test("a customer's addresses are filled in by Order again, chosen, changed, and saved once unless they say no", async ({
  shop,
  window,
}) => {
  const person = await register(shop);
  await shop.api('PATCH', '/v1/auth/user', { addresses: [home, gran] }, person.token);
  const before = await sendOrder(
    shop,
    { quantity: 3, fulfilment_type: 'delivery', address: gran, contact: { name: person.name, phone: '07700 900111' } },
    person.token,
  );
  await moveOrder(shop, before, 'accept', { minutes: 25 });
  await moveOrder(shop, before, 'collected-by-driver');
  await moveOrder(shop, before, 'delivered-to-customer');

  const page = await signedIn(await window(phone), person.token);
  await test.step("Order again fills in that order's address", async () => {
    await page.goto(`/orders/${before.id}`);
    await page.getByRole('button', { name: /^Order again/ }).click();
    await openPart(page, 'where');
    await expect(page.getByRole('radio', { name: /^Delivery/ })).toBeChecked();
    await expect(page.getByRole('radio', { name: /^3 Mill Lane/ })).toBeChecked();
    await expect(page.getByLabel('Postcode')).toBeHidden();
    await expect(saveSwitch(page)).toBeHidden();
    await expect(answered(page)).toBeVisible();
    await expectAccessible(page, 'saved addresses to choose from');
  });

  await test.step('a saved address is chosen', async () => {
    await page.getByRole('radio', { name: /^12 High Street/ }).check({ force: true });
    await expect(answered(page)).toBeVisible();
    expect(await readOrder(shop, { id: await payInCash(page) })).toMatchObject({ address: home });
  });

  await test.step('a saved address is changed without a second copy, and the change survives a reload', async () => {
    await openDelivery(shop, page);
    await page.getByRole('radio', { name: /^3 Mill Lane/ }).check({ force: true });
    await page.getByRole('button', { name: 'Edit this address' }).click();
    await page.getByLabel('Address', { exact: true }).fill('5 Mill Lane');
    await expect(page.getByRole('switch', { name: 'Save the changes to this address' })).toBeChecked();
    await page.reload();
    await expect(page.getByLabel('Address', { exact: true })).toHaveValue('5 Mill Lane');
    const changed = { ...gran, line1: '5 Mill Lane' };
    expect(await readOrder(shop, { id: await payInCash(page) })).toMatchObject({ address: changed });
    await expect.poll(() => addressesOf(shop, person)).toEqual([home, changed]);
  });

  await test.step('a new address is saved, unless the customer says no', async () => {
    await shop.api('PATCH', '/v1/auth/user', { addresses: [home] }, person.token);
    await page.evaluate(() => sessionStorage.clear());
    await openDelivery(shop, page);
    await expect(page.getByRole('radio', { name: /^12 High Street/ })).toBeChecked();
    await expect(saveSwitch(page)).toBeHidden();
    await page.getByRole('radio', { name: 'A different address' }).check({ force: true });
    await fillAddress(page, gran);
    await page.getByLabel(/^Note for the driver/).fill(gran.instructions);
    await expect(saveSwitch(page)).toBeChecked();
    await expectAccessible(page, 'an address that is new');
    const saved: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/v1/auth/user/addresses')) saved.push(request.postData() ?? '');
    });
    await saveSwitch(page).uncheck();
    await payInCash(page);
    await openDelivery(shop, page);
    await page.getByRole('radio', { name: 'A different address' }).check({ force: true });
    await expect(saveSwitch(page), 'it is asked anew for each order').toBeChecked();
    expect(saved).toEqual([]);
    expect(await addressesOf(shop, person)).toEqual([home]);
    await fillAddress(page, gran);
    await page.getByLabel(/^Note for the driver/).fill(gran.instructions);
    await payInCash(page);
    await expect.poll(() => addressesOf(shop, person)).toEqual([home, gran]);
  });
});

test("a guest's details stay on the device until they are forgotten; who lives too far away collects in one tap", async ({
  shop,
  window,
}) => {
  const page = await window(phone);
  await openDelivery(shop, page);
  const details = await openPart(page, 'who');
  await expect(details.getByText('kept on this device')).toBeVisible();
  await expect(details.getByRole('button', { name: 'Forget my details' })).toBeHidden();
  await fillAddress(page, home);
  await openPart(page, 'who');
  await page.getByLabel('Name').fill('Grace Hopper');
  await page.getByLabel('Phone').fill('07700 900456');
  await page.getByLabel('Email').fill('grace@example.com');
  await test.step('every field of a person or an address has its autofill token', async () => {
    const fields = await page
      .locator('form input:is([name^="contact."], [name^="address."])')
      .evaluateAll((all) => all.map((each) => [each.getAttribute('name'), each.getAttribute('autocomplete')]));
    expect(Object.fromEntries(fields)).toEqual({
      'address.postcode': 'postal-code',
      'address.line1': 'address-line1',
      'address.line2': 'address-line2',
      'address.city': 'address-level2',
      'address.instructions': 'off',
      'contact.name': 'name',
      'contact.phone': 'tel',
      'contact.email': 'email',
    });
  });
  await payInCash(page);

  // On another day: the tab was closed.
  const later = await page.context().newPage();
  await page.close();
  await openDelivery(shop, later);
  await expect(later.getByLabel('Name')).toHaveValue('Grace Hopper');
  await expect(later.getByLabel('Phone')).toHaveValue('07700 900456');
  await expect(later.getByLabel('Email')).toHaveValue('grace@example.com');
  await expect(later.getByLabel('Address', { exact: true })).toHaveValue('12 High Street');
  await expect(later.getByLabel('Postcode')).toHaveValue('CV21 2AA');
  await expect(saveSwitch(later)).toBeHidden();
  const id = await payInCash(later);
  expect(await readOrder(shop, { id })).toMatchObject({ address: { line1: '12 High Street' } });

  await openDelivery(shop, later);
  await openPart(later, 'who');
  await later.getByRole('button', { name: 'Forget my details' }).click();
  await expect(later.getByText('no longer kept on this device')).toBeFocused();
  await expectAccessible(later, 'forgotten details');
  for (const label of ['Name', 'Phone', 'Email', 'Postcode']) await expect(later.getByLabel(label)).toHaveValue('');
  await expect(later.getByLabel('Address', { exact: true })).toHaveValue('');
  await later.reload();
  for (const label of ['Name', 'Phone', 'Postcode']) await expect(later.getByLabel(label)).toHaveValue('');
  expect(await later.evaluate(() => JSON.stringify({ ...localStorage }))).not.toMatch(/grace/i);

  await test.step('a customer who lives too far away switches the same basket to collection in one tap', async () => {
    await openPart(later, 'who');
    await later.getByLabel('Name').fill('Grace Hopper');
    await later.getByLabel('Phone').fill('07700 900456');
    await later.getByLabel('Postcode').fill('SW1A 1AA');
    await expect(later.getByText('we do not deliver to SW1A')).toBeVisible();
    await expectAccessible(later, 'out of the delivery area');
    await later.getByRole('button', { name: /^Collect it instead, ready about \d\d:\d\d$/ }).click();
    await expect(later.getByRole('radio', { name: /^Collection/ })).toBeChecked();
    await expect(later.getByRole('radio', { name: /^Collection/ })).toBeFocused();
    await expect(later.getByLabel('Postcode')).toBeHidden();
    expect(await readOrder(shop, { id: await payInCash(later) })).toMatchObject({
      fulfilment_type: 'collection',
      contact: { name: 'Grace Hopper' },
      lines: [{ name: burger, quantity: 3 }],
    });
  });
});

test('an address is chosen from those of the postcode, by tap or keys, and typed whenever none can be looked up', async ({
  shop,
  window,
}) => {
  const service = await startLocalAddresses();
  await shop.restart('SIGTERM', { ADDRESS_LOOKUP_URL: service.url, ADDRESS_LOOKUP_KEY: service.key });
  const page = await window(phone);
  await openDelivery(shop, page);
  const postcode = page.getByLabel('Postcode');
  const line = page.getByRole('combobox', { name: 'Address' });
  const list = page.getByRole('listbox', { name: 'Addresses at CV21 2AA' });

  await test.step('the list opens by itself, and one tap fills in the address', async () => {
    await postcode.fill('CV21 2AA');
    await expect(page.getByText('12 addresses found. Choose yours, or type it.')).toBeVisible();
    await expectAccessible(page, 'addresses to choose from');
    await list.getByRole('option', { name: '7 High Street' }).tap();
    await expect(line).toHaveValue('7 High Street');
    await expect(list.getByRole('option')).toHaveCount(0);
  });

  await test.step('typing narrows the list, and arrow keys, Enter and Escape work in it', async () => {
    await line.fill('hi 1');
    await expect(list.getByRole('option')).toHaveText([
      'Corner Shop, 1 High Street',
      '10 High Street',
      '11 High Street',
      '12 High Street',
    ]);
    await line.press('ArrowDown');
    await line.press('ArrowDown');
    await expect(list.getByRole('option', { selected: true })).toHaveText('10 High Street');
    await line.press('Escape');
    await expect(line).toHaveAttribute('aria-expanded', 'false');
    await expect(line).toHaveValue('hi 1');
    await line.press('ArrowDown');
    await line.press('Enter');
    await expect(line).toHaveValue('Corner Shop');
    await expect(page.getByLabel(/^Flat or building/)).toHaveValue('1 High Street');
  });

  await test.step('an unknown postcode, and a service that is slow or away, leave the field to type in', async () => {
    await line.fill('');
    await postcode.fill('CV21 9ZZ');
    await expect(page.getByText('We found no addresses at CV21 9ZZ. Type yours.')).toBeVisible();
    service.behave('silent');
    await postcode.fill('CV21 3BB');
    await expect(page.getByText('Looking for addresses…')).toBeVisible();
    await line.fill('2 Mill Lane');
    await expect(page.getByText('Looking for addresses…')).toBeHidden();
    await line.fill('');
    await expect(page.getByText('Addresses cannot be looked up now. Type yours.')).toBeVisible();
    await page.context().setOffline(true);
    await postcode.fill('CV21 2AB');
    await expect(page.getByText('Addresses cannot be looked up now. Type yours.')).toBeVisible();
    await page.context().setOffline(false);
  });

  await line.fill('2 Mill Lane');
  await postcode.fill('CV21 3BB');
  await openPart(page, 'who');
  await page.getByLabel('Name').fill('Grace Hopper');
  await page.getByLabel('Phone').fill('07700 900456');
  expect(await readOrder(shop, { id: await payInCash(page) })).toMatchObject({
    address: { line1: '2 Mill Lane', postcode: 'CV21 3BB' },
  });
  expect(service.asked).toEqual(['CV212AA', 'CV219ZZ', 'CV213BB'].map((each) => `/v1/postcodes/${each}`));
  await shop.restart('SIGTERM', { ADDRESS_LOOKUP_URL: '' });
  await service.close();
});
