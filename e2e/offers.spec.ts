import { readFile } from 'node:fs/promises';
import type { Locator } from '@playwright/test';
import { DAY } from '#platform/zone-clock.ts';
import { findFaults } from './accessible.ts';
import { askTakeOff, openBoard } from './board.ts';
import { openOffice } from './office.ts';
import { moveOrder, type Placed } from './orders.ts';
import { register } from './people.ts';
import { expect, test } from './shop.ts';
import { addDish, burger, fillCollection, goToCheckout, openPart, phone, placeOrder } from './storefront.ts';

test('an owner makes an offer, a guest orders with it on a phone, and gets back what was paid', async ({
  shop,
  window,
}) => {
  const page = await window();
  const guest = await window(phone);
  const name = 'Ten off this week';
  let total = '';

  await test.step('the owner makes it, and reads it in one sentence', async () => {
    await openOffice(shop, page, '/admin/offers');
    await expect(page.getByText('No offers yet')).toBeVisible();
    expect(await findFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'New offer' }).click();
    const form = page.getByRole('dialog');
    await form.getByRole('button', { name: 'Save' }).click();
    await expect(form.getByText('Give it a name.')).toBeVisible();
    await form.getByLabel('Name').fill(name);
    await form.getByRole('button', { name: 'Save' }).click();
    await expect(form.getByText('Say how much.')).toBeVisible();
    await form.getByLabel('Per cent off').fill('10');
    await form.getByLabel('Orders from').fill('20');
    await form.getByLabel('Last day').fill('2099-12-31');
    await expect(form.getByText('10% off, on orders from £20.00, until 31 December 2099.')).toBeVisible();
    expect(await findFaults(page)).toEqual([]);
    await form.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('button', { name, exact: true })).toBeVisible();
    await expect(page.getByText('10% off, on orders from £20.00, until 31 December 2099')).toBeVisible();
  });

  const orderId = await test.step('the guest sees it in the basket, and pays just that', async () => {
    await guest.goto('/menu');
    await addDish(guest);
    await guest.getByRole('button', { name: /View basket/ }).click();
    const more = guest.getByRole('button', { name: `One more: ${burger}` });
    await more.click();
    const conditions = '10% off, on orders from £20.00, until 31 December 2099.';
    await expect(guest.getByText(`£3.00 more for “${name}”.${conditions}`)).toBeVisible();
    await more.click();
    await expect(guest.getByText('−£2.55')).toBeVisible();
    await expect(guest.getByText(conditions, { exact: true })).toBeVisible();
    expect(await findFaults(guest)).toEqual([]);
    await guest.getByRole('link', { name: /^Checkout/ }).click();
    await expect(guest.getByText(conditions, { exact: true })).toBeVisible();
    await fillCollection(guest);
    const button = guest.getByRole('button', { name: /^Place order/ });
    total = /£[\d.]+/.exec((await button.textContent()) ?? '')?.[0] ?? '';
    const id = await placeOrder(guest);
    await expect(guest.getByText(name)).toBeVisible();
    return id;
  });

  await test.step('a dish taken off, and one refunded in the office, give back what was paid for each', async () => {
    await moveOrder(shop, { id: orderId }, 'accept', { minutes: 20 });
    const order = (await shop.api('GET', `/v1/orders/${orderId}`, undefined, shop.adminToken)).body['data'] as Placed;
    expect([total, order.total]).toEqual(['£22.95', 2295]);
    const board = await openBoard(shop, await window());
    const takeOff = await askTakeOff(board, order);
    await takeOff.getByRole('button', { name: /^Take one .* off$/ }).click();
    await takeOff.getByRole('radio', { name: 'Sold out' }).check();
    // The offer stays, although the rest is below its minimum, unless staff say otherwise.
    await takeOff.getByLabel(`Take off the offer too: ${name}`).check();
    await expect(takeOff).toContainText('New total: £17.00 instead of £22.95.');
    await takeOff.getByLabel(`Take off the offer too: ${name}`).uncheck();
    await expect(takeOff).toContainText('New total: £15.30 instead of £22.95.');
    await takeOff.getByRole('button', { name: 'Take 1 dish off' }).click();
    await expect(guest.getByText('−£1.70')).toBeVisible();
    await moveOrder(shop, { id: orderId }, 'packed');
    await moveOrder(shop, { id: orderId }, 'collected-by-customer', { paid_by: 'cash' });
    await openOffice(shop, page, '/admin/payments');
    await page.getByRole('button', { name: `Order ${order.number}`, exact: true }).click();
    const refund = page.getByRole('dialog');
    await refund.getByRole('radio', { name: 'Some of the dishes' }).check();
    await refund.getByLabel(`How many of ${burger} to refund`).selectOption('1');
    await refund.getByLabel('Reason').fill('Cold');
    await refund.getByRole('button', { name: 'Refund £7.65' }).click();
    await expect(refund).toBeHidden();
    const paper = (await shop.api('GET', `/v1/orders/${orderId}/receipts`, undefined, shop.adminToken)).body['data'];
    const { text = '' } = (paper as { copy: string; text: string }[]).find(({ copy }) => copy === 'customer') ?? {};
    expect(text).toMatch(/Ten off this week +-£1\.70\s+TOTAL +£15\.30/);
    expect(text).toMatch(/£7\.65 given back/);
  });

  await test.step('the owner sees the orders, money off and takings that it brought, after the refund', async () => {
    await openOffice(shop, page, '/admin/offers');
    await page.getByText('What they brought').click();
    const result = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) });
    await expect(result.getByRole('definition')).toHaveText([
      '1before: 0 (–)',
      '£1.70before: £0.00 (–)',
      '£7.65before: £0.00 (–)',
      /^[01]before: 0 \(–\)$/,
      /^[01]before: 0 \(–\)$/,
    ]);
    expect(await findFaults(page)).toEqual([]);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    expect((await saved).suggestedFilename()).toMatch(/-offers-.*\.csv$/);
    await page.reload();
    await expect(result.getByRole('definition').first()).toHaveText('1before: 0 (–)');
    await page.getByText('Offers', { exact: true }).last().click();
  });

  await test.step('ended, it is gone from the next basket at once', async () => {
    await openOffice(shop, page, '/admin/offers');
    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: 'End now' }).click();
    await expect(page.getByText('Off', { exact: true })).toBeVisible();
    await guest.goto('/menu');
    await addDish(guest);
    await goToCheckout(guest);
    await expect(guest.getByText(/^Total/).first()).toBeVisible();
    await expect(guest.getByText(name)).toBeHidden();
  });
});

test('an owner makes “10% off the first order until Sunday”, a guest orders with its link on a phone, once, and staff take its code', async ({
  shop,
  window,
}) => {
  const page = await window();
  const guest = await window(phone);
  const sunday = new Date(Date.now() + DAY);
  while (sunday.getUTCDay() !== 0) sunday.setUTCDate(sunday.getUTCDate() + 1);

  await test.step('the owner makes it in two minutes, and gets its link', async () => {
    await openOffice(shop, page, '/admin/offers');
    // An owner needs 3 s for a tap, and 6 s for a field.
    let seconds = 0;
    const tap = async (target: Locator) => {
      seconds += 3;
      await target.click();
    };
    const type = async (target: Locator, text: string) => {
      seconds += 6;
      await target.fill(text);
    };
    const choose = async (target: Locator, option: string) => {
      seconds += 2 * 3;
      await target.selectOption(option);
    };
    await tap(page.getByRole('button', { name: 'New offer' }));
    const form = page.getByRole('dialog');
    await type(form.getByLabel('Name'), 'First order');
    await type(form.getByLabel('Per cent off'), '10');
    await choose(form.getByLabel('How customers get it'), 'With a code');
    await choose(form.getByLabel('Who gets it'), 'Customers on their first order');
    await type(form.getByLabel('Code', { exact: true }), 'Hello 10');
    await type(form.getByLabel('Last day'), sunday.toISOString().slice(0, 10));
    await expect(
      form.getByText(/10% off, on the first order, until \d+ \w+ \d{4}, with the code Hello 10\./),
    ).toBeVisible();
    await tap(form.getByRole('button', { name: 'Save' }));
    await tap(page.getByRole('button', { name: 'Actions for First order' }));
    await tap(page.getByRole('menuitem', { name: 'Link and QR code' }));
    expect(seconds).toBeLessThanOrEqual(60);
    await expect(page.getByRole('img', { name: /QR code of .*code=Hello%2010$/ })).toBeVisible();
    expect(await findFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
  });

  await test.step('the owner limits it, and makes codes that work once', async () => {
    const actions = page.getByRole('button', { name: 'Actions for First order' });
    await actions.click();
    await page.getByRole('menuitem', { name: 'Change' }).click();
    const form = page.getByRole('dialog');
    await form.getByText('Limits, where it is valid').click();
    await form.getByLabel('At most so many orders').fill('50');
    await expect(
      form.getByText(/on the first order, until .*, with the code Hello 10, 50 times in all\./),
    ).toBeVisible();
    expect(await findFaults(page)).toEqual([]);
    await form.getByRole('button', { name: 'Save' }).click();
    await expect(form).toBeHidden();
    await actions.click();
    await page.getByRole('menuitem', { name: 'Make codes' }).click();
    await page.getByLabel('How many').fill('3');
    expect(await findFaults(page)).toEqual([]);
    const [table] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Make and download' }).click(),
    ]);
    expect(await readFile(await table.path(), 'utf8')).toMatch(/^code\r\n([2-9B-Z]{10}\r\n){3}$/);
    await expect(page.getByText('3 codes for one order each, 0 used.')).toBeVisible();
  });

  const orderId =
    await test.step('the guest opens the link, and pays less once the shop knows who orders', async () => {
      await guest.goto('/menu?code=hello10');
      await expect(guest.getByText('The code hello10 is in your basket.')).toBeVisible();
      await expect(guest).toHaveURL(/\/menu$/);
      await addDish(guest);
      await guest.getByRole('button', { name: /View basket/ }).click();
      await expect(guest.getByText('Checked when you order, with your phone number and email.')).toBeVisible();
      expect(await findFaults(guest)).toEqual([]);
      await guest.getByRole('link', { name: /^Checkout/ }).click();
      await fillCollection(guest);
      await openPart(guest, 'who');
      // Somebody who has not ordered yet.
      await guest.getByLabel('Phone').fill('07700 900777');
      await expect(guest.getByText('First order', { exact: true })).toBeVisible();
      await expect(guest.getByText('−£0.85')).toBeVisible();
      await expect(guest.getByText(/^10% off, on the first order, until \d+ \w+ \d{4}\.$/)).toBeVisible();
      return placeOrder(guest);
    });

  await test.step('the code stands on the order, is counted for the owner, and is refused the second time', async () => {
    const { body } = await shop.api('GET', `/v1/orders/${orderId}`, undefined, shop.adminToken);
    expect(body['data']).toMatchObject({ discounts: [{ code: 'hello10', name: 'First order', amount: 85 }] });
    await page.reload();
    await expect(page.getByText('Used once, £0.85 off in all.')).toBeVisible();
    await guest.goto('/menu');
    await addDish(guest);
    await goToCheckout(guest);
    await guest.getByText('Have a code?').click();
    await guest.getByLabel('Code', { exact: true }).fill('hallo');
    await guest.getByRole('button', { name: 'Use code' }).click();
    await expect(guest.getByText('We do not know that code, or it has ended.')).toBeVisible();
    await guest.getByLabel('Code', { exact: true }).fill('HELLO 10');
    await guest.getByLabel('Code', { exact: true }).press('Enter');
    await expect(guest.getByText('That code is not for this order.')).toBeVisible();
    expect(await findFaults(guest)).toEqual([]);
    await guest.getByRole('button', { name: 'Order without it' }).click();
    await placeOrder(guest);
  });

  await test.step('staff take the code at the till, where it needs the phone number', async () => {
    const board = await openBoard(shop, await window(phone));
    await board.getByRole('button', { name: /^New order/ }).click();
    await board.getByRole('menuitem', { name: 'New order' }).click();
    const till = board.getByRole('dialog');
    await till.getByRole('combobox', { name: 'Dish' }).fill(burger);
    await expect(till.getByRole('option').first()).toBeVisible();
    await board.keyboard.press('Enter');
    await till.getByLabel('Name').fill('Radia Perlman');
    await till.getByText('The customer has a code').click();
    await till.getByLabel('Code', { exact: true }).fill('hallo');
    await till.getByRole('button', { name: 'Use code' }).click();
    await expect(till.getByText('We do not know that code, or it has ended.')).toBeVisible();
    expect(await findFaults(board)).toEqual([]);
    await till.getByRole('button', { name: 'Order without it' }).click();
    await till.getByText('The customer has a code').click();
    await till.getByLabel('Code', { exact: true }).fill('HELLO 10');
    await till.getByLabel('Code', { exact: true }).press('Enter');
    await expect(till.getByText('Type the customer’s phone number: this code depends on who orders.')).toBeVisible();
    await board.context().setOffline(true);
    await till.getByLabel('Phone', { exact: false }).last().fill('07700 900888');
    await expect(till.getByText(/^The shop did not answer, so the price is not checked yet\./)).toBeVisible();
    await board.context().setOffline(false);
    await expect(till.getByText('−£0.85')).toBeVisible();
    await till.getByRole('button', { name: 'Send to the kitchen, £7.65' }).click();
    await expect(board.getByText(/^#\d+ is in the kitchen\.$/)).toBeVisible();
    await page.reload();
    await expect(page.getByText('Used 2 times, £1.70 off in all.')).toBeVisible();
  });

  await test.step('the owner gives it to chosen customers instead, by name', async () => {
    await register(shop, 'Ada Lovelace');
    const { body } = await shop.api('GET', '/v1/offers', undefined, shop.adminToken);
    const offer = (body['data'] as { id: string; name: string }[]).find((one) => one.name === 'First order');
    const erased = { customer_ids: [crypto.randomUUID()], first_order_only: false };
    await shop.api('PATCH', `/v1/offers/${offer?.id}`, erased, shop.adminToken);
    await page.reload();
    await page.getByRole('button', { name: 'Actions for First order' }).click();
    await page.getByRole('menuitem', { name: 'Change' }).click();
    const form = page.getByRole('dialog');
    await form.getByRole('button', { name: 'Remove A deleted customer' }).click();
    await form.getByRole('button', { name: 'Save' }).click();
    await expect(form.getByText('Choose at least one customer.')).toBeVisible();
    await form.getByLabel('Customers', { exact: true }).fill('zzz');
    await expect(form.getByText('No customer with an account fits “zzz”.')).toBeVisible();
    await form.getByLabel('Customers', { exact: true }).fill('lovel');
    await form.getByRole('button', { name: 'Add Ada Lovelace' }).click();
    await expect(form.getByText(/for one chosen customer/)).toBeVisible();
    expect(await findFaults(page)).toEqual([]);
    await form.getByRole('button', { name: 'Save' }).click();
    await expect(form).toBeHidden();
    await expect(page.getByText(/for one chosen customer/)).toBeVisible();
  });
});

test('a guest reads the fee of every order, and a dish’s lower price with its conditions, before the basket', async ({
  shop,
  window,
}) => {
  const guest = await window(phone);
  const api = (method: string, path: string, body: object) => shop.api(method, path, body, shop.adminToken);
  const { body } = await shop.api('GET', `/v1/menus/store/${shop.storeId}?include=categories.items`);
  const items = (body['data'] as { categories: { items: { id: string; name: string }[] }[] }[]).flatMap((menu) =>
    menu.categories.flatMap((category) => category.items),
  );
  const item_ids = items.filter(({ name }) => name === burger).map(({ id }) => id);
  await api('PATCH', `/v1/stores/${shop.storeId}`, { service_fee: 50 });
  // Today and tomorrow, so that midnight changes nothing.
  const days = [0, 1].map((ahead) =>
    new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: 'Europe/London' }).format(
      Date.now() + ahead * 86_400_000,
    ),
  );
  await api('POST', '/v1/offers', {
    store_id: shop.storeId,
    name: 'Burger days',
    kind: 'item_price',
    value: 500,
    item_ids,
    days,
  });
  await guest.goto('/menu');
  const fee = 'Plus for each order: Service fee £0.50.';
  await expect(guest.getByText(fee)).toBeVisible();
  const card = guest.getByRole('link', { name: burger });
  await expect(card.getByText('£5.00')).toBeVisible();
  await expect(card.locator('s')).toHaveText('Usual price: £8.50');
  await card.click();
  const sheet = guest.getByRole('dialog');
  await expect(sheet.getByText(`Burger days: on ${days.join(' and ')}.`)).toBeVisible();
  await expect(sheet.getByText(fee)).toBeVisible();
  await expect(sheet.getByRole('button', { name: 'Add £5.00' })).toBeVisible();
  expect(await findFaults(guest)).toEqual([]);
});
