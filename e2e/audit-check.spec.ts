import { admin } from '#testing/running-shop.ts';
import { findFaultsInBoth } from './accessible.ts';
import { register, signedIn } from './people.ts';
import { expect, test } from './shop.ts';

test('the owner checks the log, and sees who read a customer and who could not sign in', async ({ shop, window }) => {
  await register(shop, 'Rita Read');
  const read = await shop.api('GET', '/v1/customers?search=Rita', undefined, shop.adminToken);
  const [{ id }] = read.body['data'] as [{ id: string }];
  await shop.api('GET', `/v1/customers/${id}`, undefined, shop.adminToken);
  await shop.api('POST', '/v1/auth/login', { email: admin.email, password: 'not it at all' });
  const page = await signedIn(await window(), shop.adminToken);
  await page.goto('/admin/audit');
  const lines = page.getByRole('row');
  await expect(lines.filter({ hasText: "Read a customer's details" })).toBeVisible();
  await expect(lines.filter({ hasText: 'Could not sign in: wrong password' })).toBeVisible();
  await page.getByRole('button', { name: 'Check the log' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'as they were written' })).toBeVisible();
  expect(await findFaultsInBoth(page, 'light')).toEqual([]);
});
