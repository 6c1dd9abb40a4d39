import { readFile } from 'node:fs/promises';
import { findFaults } from './accessible.ts';
import { openOffice } from './office.ts';
import { moveOrder } from './orders.ts';
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
    await expect(guest.getByText(`£3.00 more for “${name}”.`)).toBeVisible();
    await more.click();
    await expect(guest.getByText('−£2.55')).toBeVisible();
    await guest.getByRole('link', { name: /^Checkout/ }).click();
    await fillCollection(guest);
    const button = guest.getByRole('button', { name: /^Place order/ });
    total = /£[\d.]+/.exec((await button.textContent()) ?? '')?.[0] ?? '';
    const id = await placeOrder(guest);
    await expect(guest.getByText(name)).toBeVisible();
    return id;
  });

  await test.step('what is given back for the dish is what was paid for it', async () => {
    const { body } = await shop.api('GET', `/v1/orders/${orderId}`, undefined, shop.adminToken);
    const order = body['data'] as { subtotal: number; total: number; lines: { id: string }[] };
    expect(`£${(order.total / 100).toFixed(2)}`).toBe(total);
    expect(order.lines).toMatchObject([{ name: burger, discount: order.subtotal - order.total }]);
    await moveOrder(shop, { id: orderId }, 'accept', { minutes: 20 });
    await moveOrder(shop, { id: orderId }, 'packed');
    await moveOrder(shop, { id: orderId }, 'collected-by-customer', { paid_by: 'cash' });
    const refund = { key: crypto.randomUUID(), reason: 'Cold', lines: [{ line_id: order.lines[0]?.id, quantity: 3 }] };
    const back = await shop.api('POST', `/v1/orders/${orderId}/refunds`, refund, shop.adminToken);
    expect(back.body['data']).toMatchObject({ amount: order.total });
  });

  await test.step('the owner sees the orders, money off and takings that it brought, after the refund', async () => {
    await openOffice(shop, page, '/admin/offers');
    await page.getByText('What they brought').click();
    const result = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) });
    await expect(result.getByRole('definition')).toHaveText([
      '1before: 0 (–)',
      '£2.55before: £0.00 (–)',
      '£0.00before: £0.00 (–)',
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

test('an owner makes a code for first orders, and a guest orders with its link on a phone, once', async ({
  shop,
  window,
}) => {
  const page = await window();
  const guest = await window(phone);

  await test.step('the owner makes it, and gets its link', async () => {
    await openOffice(shop, page, '/admin/offers');
    await page.getByRole('button', { name: 'New offer' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Name').fill('First order');
    await form.getByLabel('Per cent off').fill('10');
    await form.getByLabel('How customers get it').selectOption('With a code');
    await form.getByLabel('Code', { exact: true }).fill('Hello 10');
    await form.getByLabel('Who gets it').selectOption('Customers on their first order');
    await form.getByText('Limits, where it is valid').click();
    await form.getByLabel('At most so many orders').fill('50');
    await expect(form.getByText('10% off, with the code Hello 10, on the first order, 50 times in all.')).toBeVisible();
    expect(await findFaults(page)).toEqual([]);
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Actions for First order' }).click();
    await page.getByRole('menuitem', { name: 'Link and QR code' }).click();
    await expect(page.getByRole('img', { name: /QR code of .*code=Hello%2010$/ })).toBeVisible();
    expect(await findFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Actions for First order' }).click();
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
      await expect(guest.getByText('First order')).toBeVisible();
      await expect(guest.getByText('−£0.85')).toBeVisible();
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
});
