import { findFaultsInBoth } from './accessible.ts';
import { sendOrder } from './orders.ts';
import { register, signedIn } from './people.ts';
import { expect, test } from './shop.ts';

test('an owner forgets a customer, after reading what goes and what stays', async ({ shop, window }) => {
  const person = await register(shop, 'Zoe Forgotten');
  const { id, number } = await sendOrder(shop, {}, person.token);
  const page = await signedIn(await window(), shop.adminToken);
  await page.goto('/admin/customers');
  await page.getByLabel('Search').fill('zoe forg');
  await page.getByRole('row').getByRole('button', { name: 'Zoe Forgotten' }).click();
  const drawer = page.getByRole('dialog', { name: 'Zoe Forgotten' });
  await drawer.getByRole('button', { name: 'Forget this customer' }).click();
  const sure = page.getByRole('dialog', { name: 'Forget Zoe Forgotten?' });
  await expect(sure).toContainText('dishes, amounts, VAT');
  await expect(sure).toContainText('A complaint that is still open stays');
  await expect(sure.getByRole('button', { name: 'Cancel' })).toBeFocused();
  expect(await findFaultsInBoth(page, 'light')).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(sure).toBeHidden();

  // Not while an order is on its way.
  await drawer.getByRole('button', { name: 'Forget this customer' }).click();
  await sure.getByRole('button', { name: 'Forget this customer' }).click();
  await expect(page.getByText('An order is still in progress.')).toBeVisible();
  await shop.api('POST', `/v1/orders/${id}/cancel`, { reason: 'Zoe rang' }, shop.adminToken);
  await drawer.getByRole('button', { name: 'Forget this customer' }).click();
  await sure.getByRole('button', { name: 'Forget this customer' }).click();
  await expect(page.getByText('Zoe Forgotten has been forgotten.')).toBeVisible();
  await expect(drawer).toBeHidden();
  await expect(page.getByRole('row').getByRole('button', { name: 'Zoe Forgotten' })).toHaveCount(0);

  const { body } = await shop.api('GET', `/v1/orders/${id}`, undefined, shop.adminToken);
  expect(JSON.stringify(body['data'])).not.toContain('Zoe');
  expect(body['data']).toMatchObject({ number, status: 'cancelled' });
});

test('an owner forgets the guest of one order, from the order', async ({ shop, window }) => {
  const { id, number } = await sendOrder(shop, { contact: { name: 'Gail Guest', phone: '07700 900123' } });
  await shop.api('POST', `/v1/orders/${id}/cancel`, { reason: 'Gail rang' }, shop.adminToken);
  const page = await signedIn(await window(), shop.adminToken);
  await page.goto('/store/orders');
  await page.getByRole('button', { name: 'All orders' }).click();
  await page.getByRole('searchbox').fill('Gail Guest');
  await page.getByRole('button', { name: new RegExp(`#${number}`) }).click();
  const details = page.getByRole('dialog').filter({ hasText: 'Gail rang' });
  await details.getByRole('button', { name: 'Forget this guest' }).click();
  const sure = page.getByRole('dialog', { name: `Forget the guest of order ${number}?` });
  await expect(sure).toContainText('dishes, amounts, VAT');
  await sure.getByRole('button', { name: 'Forget this guest' }).click();
  await expect(page.getByText(`The guest of order ${number} has been forgotten.`)).toBeVisible();
  await expect(page.getByText('Details no longer kept')).toBeVisible();
  await expect(page.getByText('Gail')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Forget this guest' })).toHaveCount(0);
});
