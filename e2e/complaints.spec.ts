import { findFaults } from './accessible.ts';
import { sendOrder } from './orders.ts';
import { newAddress, readMail, register, signedIn } from './people.ts';
import { expect, test } from './shop.ts';
import { phone } from './storefront.ts';

test('a guest complains on a phone, the owner answers, and the guest hears of both by mail', async ({
  shop,
  window,
}) => {
  const email = newAddress();
  const { body } = await shop.api('GET', `/v1/stores/${shop.storeId}`);
  const shopName = (body['data'] as { name: string }).name;
  const page = await window(phone);
  await page.goto('/privacy');
  await page.getByRole('link', { name: 'Make a complaint' }).click();
  await expect(page.getByRole('heading', { name: 'Complaints', level: 1 })).toBeVisible();
  expect(await findFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Send complaint' }).click();
  await expect(page.getByText('Please tell us what happened.').first()).toBeVisible();
  await page.getByRole('radio', { name: 'An order' }).check();
  await page.getByLabel('Order number').fill('57');
  await page.getByLabel('What happened').fill('My food was cold.\nPlease give my money back.');
  await page.getByLabel('Name', { exact: true }).fill('Gail Guest');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send complaint' }).click();
  await expect(page.getByRole('heading', { name: 'We have your complaint' })).toBeVisible();
  const told = await page.getByRole('status').filter({ hasText: 'reference' }).textContent();
  const reference = /C-[\w]{8}/.exec(told ?? '')?.[0] ?? '';
  expect(await findFaults(page)).toEqual([]);
  expect(await readMail(shop, email, `${shopName} has your complaint`)).toContain(reference);

  const office = await signedIn(await window(), shop.adminToken);
  await office.goto('/admin/complaints');
  await office.getByRole('button', { name: reference }).click();
  const sheet = office.getByRole('dialog', { name: reference });
  await expect(sheet).toContainText('My food was cold.');
  await sheet.getByRole('button', { name: 'I am looking into it' }).click();
  await expect(sheet.getByRole('button', { name: 'Mark as new' })).toBeVisible();
  await sheet.getByLabel('Your answer').fill('Sorry. Your money is on its way back.');
  // What was typed survives a reload.
  await office.reload();
  await office.getByRole('button', { name: reference }).click();
  await expect(sheet.getByLabel('Your answer')).toHaveValue('Sorry. Your money is on its way back.');
  expect(await findFaults(office)).toEqual([]);
  await sheet.getByRole('button', { name: 'Send the answer' }).click();
  await office
    .getByRole('dialog', { name: `Send this answer to ${email}?` })
    .getByRole('button', { name: 'Send the answer' })
    .click();
  await expect(sheet.getByRole('button', { name: 'Remove the person' })).toBeVisible();
  expect(await readMail(shop, email, `${shopName}: the answer to your complaint`)).toContain(
    'Your money is on its way back.',
  );
  await sheet.getByRole('button', { name: 'Remove the person' }).click();
  await office
    .getByRole('dialog', { name: /^Remove the person/ })
    .getByRole('button', { name: 'Remove the person' })
    .click();
  await expect(sheet).toContainText('Removed');
  await expect(sheet).not.toContainText('cold');
});

test('the office shows how long is left, at every width', async ({ shop, window }) => {
  const day = 24 * 60;
  const complain = async (name: string) => {
    const body = { key: crypto.randomUUID(), about: 'data', name, email: newAddress(), message: 'My old address' };
    expect((await shop.api('POST', '/v1/complaints', body)).status).toBe(201);
  };
  await complain('Late Larry');
  await shop.wait(5 * day);
  await complain('Soon Sue');
  // A sign-in that nobody uses ends after a month.
  await shop.api('GET', '/v1/auth/user', undefined, shop.adminToken);
  await shop.wait(25 * day + 60);
  await complain('New Ned');
  for (const width of [390, 1280]) {
    const page = await signedIn(await window({ viewport: { width, height: 900 } }), shop.adminToken);
    await page.clock.install({ time: new Date(Date.now() + (30 * day + 60) * 60_000) });
    await page.goto('/admin/complaints');
    await expect(page.getByText('2 complaints must be answered soon')).toBeVisible();
    await expect(page.getByText('Overdue')).toBeVisible();
    await expect(page.getByText('4 days left')).toBeVisible();
    expect(await findFaults(page)).toEqual([]);
  }
});

test('a finished order leads to the form in Polish, with its number', async ({ shop, window }) => {
  const person = await register(shop, 'Ola Nowak');
  const { id, number } = await sendOrder(shop, {}, person.token);
  for (const step of ['accept', 'collected-by-customer']) {
    await shop.api('POST', `/v1/orders/${id}/${step}`, {}, shop.adminToken);
  }
  const page = await signedIn(await window({ locale: 'pl-PL' }), person.token);
  await page.goto(`/orders/${id}`);
  await page.getByRole('link', { name: 'Coś nie tak z tym zamówieniem?' }).click();
  await expect(page.getByRole('heading', { name: 'Skargi', level: 1 })).toBeVisible();
  await expect(page.getByLabel('Numer zamówienia')).toHaveValue(String(number));
});

test('what was typed into the form survives a reload, is sent once, and goes when its person signs out', async ({
  shop,
  window,
}) => {
  const person = await register(shop, 'Dora Draft');
  const page = await signedIn(await window(phone), person.token);
  await page.goto('/complaint');
  const message = page.getByLabel('What happened');
  await page.getByRole('radio', { name: 'An order' }).check();
  await page.getByLabel('Order number').fill('57');
  await message.fill('Half of it was missing.');
  await page.getByLabel('Email').fill('dora@example.org');
  await page.reload();
  await expect(message).toHaveValue('Half of it was missing.');
  await expect(page.getByRole('radio', { name: 'An order' })).toBeChecked();
  await expect(page.getByLabel('Order number')).toHaveValue('57');
  await expect(page.getByLabel('Email')).toHaveValue('dora@example.org');
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Dora Draft');

  // Its answer is lost, and the person reloads and sends it again.
  await page.route('**/v1/complaints', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.getByRole('button', { name: 'Send complaint' }).click();
  await expect(page.getByRole('alert').first()).toBeVisible();
  await page.unroute('**/v1/complaints');
  await page.reload();
  await page.getByRole('button', { name: 'Send complaint' }).click();
  await expect(page.getByRole('heading', { name: 'We have your complaint' })).toBeVisible();
  const { body } = await shop.api('GET', '/v1/complaints?search=dora@example.org', undefined, shop.adminToken);
  expect(body['data']).toHaveLength(1);
  await page.getByRole('button', { name: 'Send another one' }).click();
  await expect(message).toHaveValue('');

  await message.fill('Nobody else may read this.');
  await page.getByRole('button', { name: 'Account of Dora Draft' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.goto('/complaint');
  await expect(message).toHaveValue('');
});
