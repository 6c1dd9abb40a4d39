import type { Page } from '@playwright/test';
import { admin } from '#testing/running-shop.ts';
import { expectAccessible, findFaultsInBoth } from './accessible.ts';
import { addAuthenticator, addPasskey } from './factors.ts';
import { moveOrder, sendOrder } from './orders.ts';
import { fillSignIn, hire, hireOwner, newAddress, password, readMail, register, signedIn } from './people.ts';
import { expect, test } from './shop.ts';
import { goWithin } from './storefront.ts';

const widths = [360, 1280];
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

async function choose(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

/** The open page fits a phone and a desktop, and axe finds nothing, in light and in dark. */
async function expectFit(page: Page): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    expect(await findFaultsInBoth(page, 'light'), `${width} pixels wide`).toEqual([]);
  }
}

test('the owner finds a customer, reads what they ordered and agreed to, signs them out and forgets them, and a guest', async ({
  shop,
  window,
}) => {
  test.slow();
  const [ada, bea] = [await register(shop, 'Ada Zimmer'), await register(shop, 'Bea Zimmer')];
  const orders = [await sendOrder(shop, {}, bea.token), await sendOrder(shop, {}, bea.token)];
  for (const allergies of [['milk'], [], ['nuts']]) {
    expect((await shop.api('PATCH', '/v1/auth/user', { allergies }, bea.token)).status).toBe(200);
  }
  const page = await signedIn(await window(), shop.adminToken);
  const names = page.getByRole('row').getByRole('button', { name: /Zimmer/ });
  await page.goto('/admin/customers?search=zimm&sort=-orders');

  await test.step('by part of a name, in any order, which is in the address', async () => {
    await expect(names).toHaveText(['Bea Zimmer', 'Ada Zimmer']);
    await page.getByRole('button', { name: 'Name' }).click();
    await expect(names).toHaveText(['Ada Zimmer', 'Bea Zimmer']);
    await page.getByRole('button', { name: 'Orders' }).click();
    await expect(page).toHaveURL(/sort=orders/);
    await page.getByRole('button', { name: 'Orders' }).click();
    await expect(names).toHaveText(['Bea Zimmer', 'Ada Zimmer']);
    await expectFit(page);
    await page.getByLabel('Search').fill('nobody at all');
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByLabel('Search').fill(ada.email);
    await expect(names).toHaveText(['Ada Zimmer']);
    await names.click();
    await expect(page.getByRole('dialog').getByText('Nothing. The shop asks before')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.getByLabel('Search').fill('zimm');
    await expect(names).toHaveText(['Bea Zimmer', 'Ada Zimmer']);
  });

  const drawer = page.getByRole('dialog', { name: 'Bea Zimmer' });
  await test.step('with their orders, and what they agreed to or withdrew', async () => {
    await names.first().click();
    await expect(drawer).toContainText(bea.email);
    await expect(drawer.getByRole('heading', { name: '2 orders' })).toBeVisible();
    for (const { number } of orders) await expect(drawer.getByRole('link', { name: `#${number}` })).toBeVisible();
    const consents = drawer.getByRole('listitem').filter({ hasText: 'Keeping their allergies' });
    await expect(consents).toHaveCount(2);
    await expect(consents.first()).toContainText('On the page “My account”');
    await expect(consents.filter({ hasText: 'withdrawn the same day' })).toHaveCount(1);
    await expectFit(page);
  });

  await test.step('who is signed out everywhere', async () => {
    await drawer.getByRole('button', { name: 'Sign out everywhere' }).click();
    const sure = page.getByRole('dialog', { name: 'Sign Bea Zimmer out everywhere?' });
    await expect(sure).toBeVisible();
    await expectFit(page);
    await sure.getByRole('button', { name: 'Sign out everywhere' }).click();
    await expect(page.getByText('Bea Zimmer has been signed out everywhere.')).toBeVisible();
    expect((await shop.api('GET', '/v1/auth/user', undefined, bea.token)).status).toBe(401);
  });

  await test.step('and forgotten, after reading what goes and what stays, once no order is on its way', async () => {
    await drawer.getByRole('button', { name: 'Forget this customer' }).click();
    const sure = page.getByRole('dialog', { name: 'Forget Bea Zimmer?' });
    await expect(sure).toContainText('dishes, amounts, VAT');
    await expect(sure).toContainText('A complaint that is still open stays');
    await expect(sure.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await expectFit(page);
    await page.keyboard.press('Enter');
    await expect(sure).toBeHidden();
    await drawer.getByRole('button', { name: 'Forget this customer' }).click();
    await sure.getByRole('button', { name: 'Forget this customer' }).click();
    await expect(page.getByText('An order is still in progress.')).toBeVisible();
    for (const order of orders) await moveOrder(shop, order, 'cancel', { reason: 'Bea Zimmer rang' });
    await drawer.getByRole('button', { name: 'Forget this customer' }).click();
    await sure.getByRole('button', { name: 'Forget this customer' }).click();
    await expect(page.getByText('Bea Zimmer has been forgotten.')).toBeVisible();
    await expect(drawer).toBeHidden();
    await expect(names).toHaveText(['Ada Zimmer']);
    for (const { id, number } of orders) {
      const { body } = await shop.api('GET', `/v1/orders/${id}`, undefined, shop.adminToken);
      expect(JSON.stringify(body['data'])).not.toContain('Zimmer');
      expect(body['data']).toMatchObject({ number, status: 'cancelled' });
    }
  });

  await test.step('like the guest of one order, from the order', async () => {
    const guest = await sendOrder(shop, { contact: { name: 'Gail Guest', phone: '07700 900123' } });
    await moveOrder(shop, guest, 'cancel', { reason: 'Gail rang' });
    await page.getByRole('navigation').getByRole('link', { name: 'Orders' }).click();
    await page.getByRole('button', { name: 'All orders' }).click();
    await page.getByRole('searchbox').fill('Gail Guest');
    await page.getByRole('button', { name: new RegExp(`#${guest.number}`) }).click();
    const details = page.getByRole('dialog').filter({ hasText: 'Gail rang' });
    await details.getByRole('button', { name: 'Forget this guest' }).click();
    const sure = page.getByRole('dialog', { name: `Forget the guest of order ${guest.number}?` });
    await expect(sure).toContainText('dishes, amounts, VAT');
    await sure.getByRole('button', { name: 'Forget this guest' }).click();
    await expect(page.getByText(`The guest of order ${guest.number} has been forgotten.`)).toBeVisible();
    await expect(page.getByText('Details no longer kept')).toBeVisible();
    await expect(page.getByText('Gail')).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Forget this guest' })).toHaveCount(0);
  });
});

test('the owner reads who did what, that the log is whole, and that calls come through a proxy which is not trusted', async ({
  shop,
  window,
}) => {
  test.slow();
  const store = `/v1/stores/${shop.storeId}`;
  for (const name of ['First Noted Ltd', 'Second Noted Ltd']) {
    expect((await shop.api('PATCH', store, { legal_name: name }, shop.adminToken)).status).toBe(200);
  }
  await hire(shop, 'Olga Noted');
  await register(shop, 'Rita Read');
  const read = await shop.api('GET', '/v1/customers?search=Rita', undefined, shop.adminToken);
  const [{ id }] = read.body['data'] as [{ id: string }];
  await shop.api('GET', `/v1/customers/${id}`, undefined, shop.adminToken);
  await shop.api('POST', '/v1/auth/login', { email: admin.email, password: 'not it at all' });
  const page = await signedIn(await window(), shop.adminToken);
  // Everything on this machine is trusted, so that what the server answers behind a proxy elsewhere is put in its place here
  // (`src/testing/behind-a-proxy.test.ts` asks the server).
  const addresses: string[] = [];
  await page.route('**/v1/proxies/unknown', (route) => route.fulfill({ json: { data: { addresses } } }));
  await page.clock.install();
  await page.goto('/admin/audit');
  const lines = page.getByRole('rowgroup').last().getByRole('row');

  await test.step('who read a customer, and who could not sign in', async () => {
    await expect(lines.filter({ hasText: "Read a customer's details" })).toBeVisible();
    await expect(lines.filter({ hasText: 'Could not sign in: wrong password' })).toBeVisible();
    await page.getByRole('button', { name: 'Check the log' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'as they were written' })).toBeVisible();
    await expect(page.getByText('is not trusted')).toHaveCount(0);
    await expectFit(page);
  });

  await test.step('the proxy, in red, within five minutes', async () => {
    addresses.push('172.18.0.2');
    await page.clock.fastForward('05:00');
    const warning = page.getByRole('alert').filter({ hasText: 'A proxy at 172.18.0.2 is not trusted' });
    await expect(warning).toContainText('TRUSTED_PROXIES');
    await expectFit(page);
  });

  await test.step('by text, area and day, and everything done to one thing', async () => {
    await page.getByLabel('Search').fill('second noted');
    await expect(lines).toHaveCount(1);
    await lines.getByRole('button').click();
    const drawer = page.getByRole('dialog');
    await expect(drawer).toContainText('PATCH /v1/stores/{id}');
    await expect(drawer.locator('pre')).toContainText('"legal_name": "Second Noted Ltd"');
    await expectFit(page);
    await drawer.getByRole('button', { name: 'All changes to this' }).click();
    await expect(drawer).toBeHidden();
    await expect(page.getByLabel('Search')).toHaveValue('');
    await expect(page).toHaveURL(new RegExp(`subject=${shop.storeId}`));
    await expect.poll(() => lines.count()).toBeGreaterThanOrEqual(2);

    await goWithin(page, '/admin/audit');
    await page.getByRole('combobox', { name: 'Area' }).selectOption('People');
    await expect(lines.first()).toContainText('Invited someone');
    await expect(lines.filter({ hasText: 'store' })).toHaveCount(0);
    await page.getByLabel('To', { exact: true }).fill('2020-01-01');
    await expect(page.getByText('No matches')).toBeVisible();
  });

  // Their own way in is one that each start of the server resets.
  await goWithin(page, '/kitchen/my-sign-in');
  await expect(page.getByText('Each start with them removes what you set up here.')).toBeVisible();
});

test('an owner invites staff, proves who they are, helps who has lost their second factor, and lets them go', async ({
  shop,
  window,
}) => {
  test.slow();
  const email = newAddress();
  const owner = await hireOwner(shop, 'Ginger Root');
  const page = await signedIn(await window(), owner.token);
  await addAuthenticator(page);
  const form = page.getByRole('dialog', { name: 'Invite someone' });
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
  const invite = async (name: string, address: string) => {
    await page.getByRole('button', { name: 'Invite someone' }).click();
    await form.getByLabel('Name').fill(name);
    await form.getByLabel('Email').fill(address);
    await form.getByRole('radio', { name: 'Owner' }).check();
    await form.getByRole('button', { name: 'Send the invitation' }).click();
  };
  await page.goto('/admin/staff');

  await test.step('asked to protect their sign-in, once in a week', async () => {
    const asked = page.getByRole('region', { name: 'Protect your sign-in' });
    await expect(asked).toBeVisible();
    await expectFit(page);
    await asked.getByRole('button', { name: 'Not this week' }).click();
    await expect(asked).toHaveCount(0);
    await goWithin(page, '/admin/customers');
    await expect(page.getByRole('heading', { level: 1, name: 'Customers' })).toBeVisible();
    await expect(asked).toHaveCount(0);
    await goWithin(page, '/admin/staff');
    await expect(row(page, admin.email)).toContainText('Every shop');
    await expect(asked).toHaveCount(0);
  });

  await test.step('an invitation says what is missing, and is sent', async () => {
    await page.getByRole('button', { name: 'Invite someone' }).click();
    await form.getByRole('checkbox').first().uncheck();
    await form.getByLabel('Name').fill('Nora Blake');
    await form.getByLabel('Email').fill('nobody');
    await form.getByRole('button', { name: 'Send the invitation' }).click();
    await expect(form.getByLabel('Email')).toBeFocused();
    await expect(form.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true');
    await expectFit(page);
    await form.getByRole('checkbox').first().check();
    await form.getByLabel('Email').fill(email);
    await form.getByRole('button', { name: 'Send the invitation' }).click();
    await expect(page.getByText(`We have sent an invitation to Nora Blake at ${email}.`)).toBeVisible();
    await expect(row(page, email)).toContainText('Invited, no password yet');
  });

  await readMail(shop, email);
  await goWithin(page, '/admin/mail');
  await expect(row(page, email)).toBeVisible();
  await expectFit(page);
  await row(page, email).getByRole('button').click();
  const mail = page.getByRole('dialog');
  const link = (await mail.getByRole('link', { name: /reset-password/ }).getAttribute('href')) ?? '';
  await expect(mail).toContainText('From');
  await expectFit(page);
  await page.keyboard.press('Escape');

  const nora = await window({ viewport: { width: 390, height: 844 } });
  await test.step('the mailed link leads to a password, the kitchen, and a passkey of their own', async () => {
    await addAuthenticator(nora);
    await nora.goto(link);
    await nora.getByLabel('Password').fill(password);
    await nora.getByRole('button', { name: 'Use this password' }).click();
    await nora.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
    await fillSignIn(nora, { email, password });
    await nora.waitForURL('/kitchen');
    await goWithin(nora, '/kitchen/my-sign-in');
    await addPasskey(nora);
    const { body } = await shop.api('POST', '/v1/auth/login', { email, password });
    expect(body['code']).toBe('second_factor_required');
  });

  await goWithin(page, '/admin/staff');
  await choose(page, 'Nora Blake', 'Edit');
  const edit = page.getByRole('dialog', { name: 'Nora Blake' });
  await edit.getByRole('radio', { name: 'Owner' }).check();
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(row(page, email)).toContainText('Every shop');
  const actions = page.getByRole('menuitem');
  await test.step('who has lost the second factor gets in without it, once the owner is sure that it is they', async () => {
    await page.getByRole('button', { name: `Actions for ${owner.name}` }).click();
    await expect(actions).toHaveText(['Edit', 'Sign out everywhere']);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Actions for Nora Blake' }).click();
    await expect(actions).toHaveText(['Edit', 'Sign out everywhere', 'Remove their second factor', 'Remove']);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      await expectAccessible(page);
    }
    await actions.filter({ hasText: 'second factor' }).click();
    const sure = page.getByRole('dialog', { name: "Remove Nora Blake's second factor?" });
    await expect(sure).toContainText('you are sure that it is they who ask');
    await sure.getByRole('button', { name: 'Cancel' }).click();
    await expect(sure).toHaveCount(0);
    const { body } = await shop.api('POST', '/v1/auth/login', { email, password });
    expect(body['code']).toBe('second_factor_required');
    await choose(page, 'Nora Blake', 'Remove their second factor');
    await expectFit(page);
    await sure.getByRole('button', { name: 'Remove it' }).click();
    await expect(page.getByText('Nora Blake now signs in with the password alone.')).toBeVisible();
    await expect(sure).toHaveCount(0);
    await page.getByRole('button', { name: 'Actions for Nora Blake' }).click();
    await expect(actions).toHaveText(['Edit', 'Remove']);
    await page.keyboard.press('Escape');
    expect(await readMail(shop, email, 'Your second factor for')).toContain(`Removed by: ${owner.name}`);

    // Signed out, they come in by the password alone; the lost passkey is worth nothing.
    await nora.reload();
    await nora.waitForURL('**/login');
    await nora.getByRole('button', { name: 'Staff: sign in with a passkey' }).click();
    await expect(nora.getByText('This passkey is not known here.')).toBeVisible();
    await fillSignIn(nora, { email, password });
    await nora.waitForURL('**/kitchen/my-sign-in');
  });

  await test.step('who signed in a while ago confirms that it is they, and what they typed is sent', async () => {
    await shop.wait(16);
    await invite('Saffron Hill', 'saffron@example.com');
    await expect(proof.getByLabel('Password', { exact: true })).toBeFocused();
    await page.setViewportSize({ width: 390, height: 844 });
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(proof).toHaveCount(0);
    await expect(form.getByLabel('Name')).toHaveValue('Saffron Hill');
    await expect(form.getByText('Confirm first that it is you')).toBeVisible();
    await form.getByRole('button', { name: 'Send the invitation' }).click();
    await proof.getByLabel('Password', { exact: true }).fill('not the password');
    await proof.getByRole('button', { name: 'Confirm' }).click();
    await expect(proof.getByText('wrong')).toBeVisible();
    await expectAccessible(page);
    await proof.getByLabel('Password', { exact: true }).fill(owner.password);
    await page.keyboard.press('Enter');
    await expect(form).toHaveCount(0);
    await expect(page.getByText('saffron@example.com', { exact: true })).toBeVisible();
  });

  await test.step('also by a passkey, and one proof is enough for two tabs', async () => {
    await goWithin(page, '/kitchen/my-sign-in');
    await addPasskey(page);
    await goWithin(page, '/admin/staff');
    await shop.wait(16);
    const other = await page.context().newPage();
    await other.setViewportSize({ width: 1280, height: 800 });
    await other.goto('/kitchen/my-sign-in');
    await other.getByRole('button', { name: 'Make new codes' }).click();
    const otherProof = other.getByRole('dialog', { name: 'Confirm that it is you' });
    await expect(otherProof).toBeVisible();
    await expectAccessible(other);
    await page.bringToFront();
    await invite('Clove Bay', 'clove@example.com');
    await proof.getByRole('button', { name: 'Use a passkey' }).click();
    await expect(form).toHaveCount(0);
    await expect(page.getByText('clove@example.com', { exact: true })).toBeVisible();
    await expect(otherProof).toHaveCount(0);
    await expect(other.getByRole('region', { name: 'Keep these recovery codes' })).toBeVisible();
    await other.close();
  });

  await test.step('somebody is signed out everywhere, and removed', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await choose(page, 'Nora Blake', 'Sign out everywhere');
    const end = page.getByRole('dialog', { name: 'Sign Nora Blake out everywhere?' });
    await end.getByRole('button', { name: 'Sign out everywhere' }).click();
    await expect(row(page, email)).toContainText('Signed out');
    await choose(page, 'Nora Blake', 'Remove');
    const sure = page.getByRole('dialog', { name: 'Remove Nora Blake?' });
    await expect(sure).toBeVisible();
    await expectFit(page);
    await sure.getByRole('button', { name: 'Remove' }).click();
    await expect(row(page, email)).toHaveCount(0);
    await nora.goto('/admin/staff');
    await nora.waitForURL('**/login');
    await fillSignIn(nora, { email, password });
    await expect(nora.getByText('The email address or the password is wrong.').first()).toBeVisible();
  });
});
