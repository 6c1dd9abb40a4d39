import { expectAccessible } from './accessible.ts';
import { register, signedIn } from './people.ts';
import { expect, test } from './shop.ts';

test('the owner reads what a customer agreed to, and what is withdrawn', async ({ shop, window }) => {
  const some = await register(shop, 'Cora Consent');
  await register(shop, 'Nora Nothing');
  for (const allergies of [['milk'], [], ['nuts']]) {
    const answer = await shop.api('PATCH', '/v1/auth/user', { allergies }, some.token);
    expect(answer.status).toBe(200);
  }
  for (const width of [390, 1280]) {
    const page = await signedIn(await window({ viewport: { width, height: 900 } }), shop.adminToken);
    await page.goto('/admin/customers');
    await page.getByRole('button', { name: 'Cora Consent' }).click();
    const drawer = page.getByRole('dialog', { name: 'Cora Consent' });
    const consents = drawer.getByRole('listitem').filter({ hasText: 'Keeping their allergies' });
    await expect(consents).toHaveCount(2);
    await expect(consents.first()).toContainText('On the page “My account”');
    await expect(consents.filter({ hasText: 'withdrawn the same day' })).toHaveCount(1);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(drawer).toHaveCount(0);
    await page.getByRole('button', { name: 'Nora Nothing' }).click();
    await expect(page.getByRole('dialog').getByText('Nothing. The shop asks before')).toBeVisible();
    await expectAccessible(page);
  }
});
