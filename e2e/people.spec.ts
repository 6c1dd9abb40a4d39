import type { Page } from '@playwright/test';
import { admin } from '#testing/running-shop.ts';
import { expectAccessible, findFaultsInBoth } from './accessible.ts';
import { sendOrder } from './orders.ts';
import { fillSignIn, hire, newAddress, password, register, signedIn, signIn } from './people.ts';
import { expect, test } from './shop.ts';

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

async function choose(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

test('a member of staff is invited, signs in with the link, and is removed again', async ({ shop, window }) => {
  const email = newAddress();
  const owner = await signedIn(await window(), shop.adminToken);
  await owner.goto('/admin/staff');
  await expect(row(owner, admin.email)).toContainText('Every shop');
  await owner.getByRole('button', { name: 'Invite someone' }).click();
  const form = owner.getByRole('dialog', { name: 'Invite someone' });
  await form.getByLabel('Name').fill('Nora Blake');
  await form.getByLabel('Email').fill('nobody');
  await form.getByRole('button', { name: 'Invite' }).click();
  await expect(form.getByLabel('Email')).toBeFocused();
  await expect(form.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true');
  await form.getByLabel('Email').fill(email);
  await form.getByRole('button', { name: 'Invite' }).click();
  // The shop has no mail server: the owner hands the link over, and it is not shown again.
  const unsent = owner.getByRole('dialog', { name: 'Give this link to Nora Blake' });
  const address = await unsent.getByLabel('Link to choose a password', { exact: true }).inputValue();
  await expectAccessible(owner);
  await unsent.getByRole('button', { name: 'I have copied it' }).click();
  await expect(row(owner, email)).toContainText('Invited, not accepted yet');

  const nora = await window();
  await nora.goto(address);
  await nora.getByLabel('Password').fill(password);
  await nora.getByRole('button', { name: 'Use this password' }).click();
  await nora.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
  await fillSignIn(nora, { email, password });
  await nora.waitForURL('/kitchen');

  // More rights than before end no sign-in; the owner's pages open immediately.
  await owner.goto('/admin/staff');
  await choose(owner, 'Nora Blake', 'Edit');
  const edit = owner.getByRole('dialog', { name: 'Nora Blake' });
  await edit.getByRole('radio', { name: 'Owner' }).check();
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(row(owner, email)).toContainText('Every shop');
  await nora.goto('/admin/staff');
  await expect(nora.getByRole('heading', { level: 1, name: 'Staff' })).toBeVisible();

  await choose(owner, 'Nora Blake', 'Sign out everywhere');
  const sure = owner.getByRole('dialog', { name: 'Sign Nora Blake out everywhere?' });
  await sure.getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(row(owner, email)).toContainText('Signed out');
  await nora.goto('/admin/staff');
  await nora.waitForURL(/\/login/);
  await signIn(nora, { email, password });

  await owner.reload();
  await choose(owner, 'Nora Blake', 'Remove');
  await owner.getByRole('dialog', { name: 'Remove Nora Blake?' }).getByRole('button', { name: 'Remove' }).click();
  await expect(row(owner, email)).toHaveCount(0);
  await nora.goto('/admin/staff');
  await nora.waitForURL(/\/login/);
  await fillSignIn(nora, { email, password });
  await expect(nora.getByText('The email address or the password is wrong.').first()).toBeVisible();
});

test('a customer is found by part of a name, and their orders are in their drawer', async ({ shop, window }) => {
  const [ada, bea] = [await register(shop, 'Ada Zimmer'), await register(shop, 'Bea Zimmer')];
  const numbers = [(await sendOrder(shop, {}, bea.token)).number, (await sendOrder(shop, {}, bea.token)).number];
  const page = await signedIn(await window(), shop.adminToken);
  await page.goto('/admin/customers');
  await page.getByLabel('Search').fill('zimm');
  const names = page.getByRole('row').getByRole('button', { name: /Zimmer/ });
  await expect(names).toHaveText(['Bea Zimmer', 'Ada Zimmer']);
  await page.getByRole('button', { name: 'Name' }).click();
  await expect(names).toHaveText(['Ada Zimmer', 'Bea Zimmer']);
  await page.getByRole('button', { name: 'Orders' }).click();
  await expect(page).toHaveURL(/sort=/);
  await page.getByRole('button', { name: 'Orders' }).click();
  await expect(names).toHaveText(['Bea Zimmer', 'Ada Zimmer']);
  await page.reload();
  await expect(names).toHaveText(['Bea Zimmer', 'Ada Zimmer']);

  await names.first().click();
  const drawer = page.getByRole('dialog', { name: 'Bea Zimmer' });
  await expect(drawer).toContainText(bea.email);
  await expect(drawer.getByRole('heading', { name: '2 orders' })).toBeVisible();
  for (const number of numbers) await expect(drawer.getByRole('link', { name: `#${number}` })).toBeVisible();
  await drawer.getByRole('button', { name: 'Sign out everywhere' }).click();
  const sure = page.getByRole('dialog', { name: 'Sign Bea Zimmer out everywhere?' });
  await sure.getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(page.getByText('Bea Zimmer has been signed out everywhere.')).toBeVisible();
  expect((await shop.api('GET', '/v1/auth/user', undefined, bea.token)).status).toBe(401);

  await page.keyboard.press('Escape');
  await page.getByLabel('Search').fill(ada.email);
  await expect(names).toHaveText(['Ada Zimmer']);
  await page.getByLabel('Search').fill('nobody at all');
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(names.first()).toBeVisible();
});

test('the log shows who did what, by text, area and day, and everything done to one thing', async ({
  shop,
  window,
}) => {
  const store = `/v1/stores/${shop.storeId}`;
  for (const name of ['First Noted Ltd', 'Second Noted Ltd']) {
    expect((await shop.api('PATCH', store, { legal_name: name }, shop.adminToken)).status).toBe(200);
  }
  await hire(shop, 'Olga Noted');
  const page = await signedIn(await window(), shop.adminToken);
  await page.goto('/admin/audit');
  await page.getByLabel('Search').fill('second noted');
  const lines = page.getByRole('rowgroup').last().getByRole('row');
  await expect(lines).toHaveCount(1);
  await lines.getByRole('button').click();
  const drawer = page.getByRole('dialog');
  await expect(drawer).toContainText('PATCH /v1/stores/{id}');
  await expect(drawer.locator('pre')).toContainText('"legal_name": "Second Noted Ltd"');
  await drawer.getByRole('button', { name: 'All changes to this' }).click();
  await expect(drawer).toBeHidden();
  await expect(page.getByLabel('Search')).toHaveValue('');
  await expect(page).toHaveURL(new RegExp(`subject=${shop.storeId}`));
  await expect.poll(() => lines.count()).toBeGreaterThanOrEqual(2);

  await page.goto('/admin/audit');
  await page.getByRole('combobox', { name: 'Area' }).selectOption('People');
  await expect(lines.first()).toContainText('Invited someone');
  await expect(lines.filter({ hasText: 'store' })).toHaveCount(0);
  await page.getByLabel('To', { exact: true }).fill('2020-01-01');
  await expect(page.getByText('No matches')).toBeVisible();
});

// guard.test.ts has every page and role.
test('customers and staff are sent home from the owner’s pages about people, and read none of the data', async ({
  shop,
  window,
}) => {
  const customer = await register(shop, 'Carl Curious');
  const staff = await hire(shop, 'Sam Stove');
  for (const [{ token }, wanted] of [
    [customer, '/admin/customers'],
    [staff, '/admin/audit'],
  ] as const) {
    const page = await signedIn(await window(), token);
    await page.goto(wanted);
    await page.waitForURL('/');
    for (const path of ['/v1/customers', '/v1/staff', '/v1/audit', '/v1/mail']) {
      expect((await shop.api('GET', path, undefined, token)).status, path).toBe(403);
    }
  }
});

// Each state is reached on the phone, and looked at there in the dark and on a desktop in light; for its colours in both.
test('the pages about people fit a phone and a desktop, and axe finds nothing, in light and in dark', async ({
  shop,
  window,
}) => {
  const diner = await register(shop, 'Dora Diner');
  await sendOrder(shop, {}, diner.token);
  const piet = 'Piet Pan';
  await hire(shop, piet);
  const page = await signedIn(await window({ viewport: { width: 360, height: 800 } }), shop.adminToken);
  const found: string[] = [];
  const look = async (): Promise<void> => {
    for (const [width, colorScheme] of [
      [1280, 'light'],
      [360, 'dark'],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      found.push(...(await findFaultsInBoth(page, colorScheme)).map((fault) => `${width} px, ${fault}`));
    }
  };

  await page.goto('/admin/customers');
  await page.getByRole('button', { name: 'Dora Diner' }).first().click();
  await expect(page.getByRole('dialog').getByRole('link', { name: /#/ })).toBeVisible();
  await look();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(page.getByRole('dialog', { name: /out everywhere/ })).toBeVisible();
  await look();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await look();

  await page.goto('/admin/staff');
  await page.getByRole('button', { name: 'Invite someone' }).click();
  await page.getByRole('checkbox').first().uncheck();
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await expect(page.locator('[aria-invalid="true"]').first()).toBeFocused();
  await look();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await look();
  await choose(page, piet, 'Remove');
  await expect(page.getByRole('dialog', { name: `Remove ${piet}?` })).toBeVisible();
  await look();

  await page.goto('/admin/audit');
  await page.getByRole('rowgroup').last().getByRole('button').first().click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await look();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await look();

  await page.goto('/admin/mail');
  await page.getByRole('rowgroup').last().getByRole('button').first().click();
  await expect(page.getByRole('dialog')).toContainText('From');
  await look();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await look();
  expect(found).toEqual([]);
});
