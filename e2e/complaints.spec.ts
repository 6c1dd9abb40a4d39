import { findFaults } from './accessible.ts';
import { openOffice } from './office.ts';
import { openBoard } from './board.ts';
import { moveOrder, sendOrder } from './orders.ts';
import { hire, newAddress, readMail, register } from './people.ts';
import { expect, test } from './shop.ts';
import { phone } from './storefront.ts';

const minutesOfDay = 24 * 60;
const fromNow = 30 * minutesOfDay + 60;

test('a customer says which dishes are not right; every board rings, one of two answers it, and only the owner is offered the refund', async ({
  shop,
  window,
}) => {
  const person = await register(shop, 'Nadia Nut');
  const order = await sendOrder(shop, { quantity: 3 }, person.token);
  for (const step of ['accept', 'collected-by-customer']) await moveOrder(shop, order, step);
  const [dish] = order.lines;
  const cook = await hire(shop, 'Carl Cook');
  const ownersBoard = await openBoard(shop, await window());
  const cooksBoard = await openBoard(shop, await window(), { path: '/kitchen', token: cook.token });
  const page = await window(phone);
  const send = page.getByRole('button', { name: 'Send complaint' });
  const message = page.getByLabel('What happened?');
  const refused = 'You already sent this with other words.';
  const otherTab = await page.context().newPage();
  const onOrderPage = otherTab.getByRole('region', { name: 'Your complaint' });

  await test.step('the dishes and the wish survive a reload, an allergy shows 999 first, an order that cannot load is awaited, and a changed text is a new complaint', async () => {
    await page.goto('/');
    await page.evaluate((token) => localStorage.setItem('token', token), person.token);
    await otherTab.goto(`/orders/${order.id}`);
    await page.goto(`/orders/${order.id}`);
    await page.getByRole('link', { name: 'Something not right with this order?' }).click();
    await page.getByRole('checkbox', { name: dish?.name }).check();
    await page.getByLabel(`How many: ${dish?.name}`).selectOption('2');
    await page.getByRole('radio', { name: 'Give me my money back' }).check();
    await page.getByLabel('It is about an allergy').check();
    await expect(page.getByRole('link', { name: 'Call 999' })).toBeVisible();
    expect(await findFaults(page)).toEqual([]);
    await page.reload();
    await expect(page.getByLabel('It is about an allergy')).toBeChecked();
    await expect(page.getByRole('radio', { name: 'Give me my money back' })).toBeChecked();
    await expect(page.getByLabel(`How many: ${dish?.name}`)).toHaveValue('2');
    const answers = `**/v1/orders/${order.id}`;
    await page.route(answers, (route) => route.abort());
    await page.reload();
    await message.fill('It was cold.');
    await send.click();
    await expect(page.getByText('You seem to be offline.').first()).toBeVisible();
    await expect(message).toHaveValue('It was cold.');
    await page.unroute(answers);
    // The answer is lost, and the customer changes the text before the next attempt.
    await page.route('**/v1/complaints', async (route) => {
      await route.fetch();
      await route.abort();
    });
    const lost = page.waitForEvent('requestfailed');
    await send.click();
    await lost;
    await expect(send).toHaveAttribute('aria-disabled', 'false');
    await page.unroute('**/v1/complaints');
    await message.fill('There were nuts in it.');
    await send.click();
    await expect(page.getByText(refused).first()).toBeVisible();
    await send.click();
    await expect(page.getByRole('heading', { name: 'We have your complaint' })).toBeInViewport();
    await expect(page.getByRole('link', { name: 'Call 999' })).toBeVisible();
    // This shop has no mail server.
    await expect(page.getByRole('status').filter({ hasText: 'on your order’s page or ring you' })).toBeVisible();
  });

  await test.step('the way back leads to the order, which shows the complaints and that they wait, in another tab too', async () => {
    await page.getByRole('link', { name: `Back to order ${order.number}` }).click();
    for (const tab of [page.getByRole('region', { name: 'Your complaint' }), onOrderPage]) {
      await expect(tab.getByText('There were nuts in it.')).toBeVisible();
      await expect(tab.getByText(`2 × ${dish?.name}`)).toHaveCount(2);
      await expect(tab.getByText('Waiting for the shop’s answer')).toHaveCount(2);
    }
    expect(await findFaults(page)).toEqual([]);
  });

  await test.step('both boards ring at once, and stay silent after "Heard it" on one of them', async () => {
    for (const board of [ownersBoard, cooksBoard]) {
      await expect(board.getByRole('alert').filter({ hasText: '2 allergy complaints' })).toBeVisible();
      await expect(board.locator('[data-alarm="ringing"]')).toBeVisible();
    }
    await cooksBoard.locator('[data-acknowledge]').click();
    for (const board of [ownersBoard, cooksBoard]) await expect(board.locator('[data-alarm="silent"]')).toBeVisible();
  });

  const openSheet = async (board: typeof ownersBoard) => {
    await board.getByRole('button', { name: 'Answer', exact: true }).click();
    const cards = board.getByRole('dialog').locator('[data-complaint]');
    return cards.filter({ hasText: 'There were nuts in it.' });
  };

  await test.step('the cook answers, without a refund; the second answer is refused, and a draft survives a lost connection', async () => {
    const card = await openSheet(cooksBoard);
    await expect(card).toContainText(`2 × ${dish?.name}`);
    await expect(card).toContainText('Would like the money back');
    await expect(card.getByRole('button', { name: 'Give money back' })).toBeHidden();
    expect(await findFaults(cooksBoard)).toEqual([]);
    const slow = await openSheet(ownersBoard);
    await slow.getByLabel('Your answer').fill('I am the second.');
    await card.getByLabel('Your answer').fill('Sorry. We rang you.');
    await cooksBoard.context().setOffline(true);
    await card.getByRole('button', { name: 'Send the answer' }).click();
    await expect(cooksBoard.getByText(/connection|reach/i).first()).toBeVisible();
    await expect(card.getByLabel('Your answer')).toHaveValue('Sorry. We rang you.');
    await cooksBoard.context().setOffline(false);
    await ownersBoard.route('**/v1/stores/*/complaints', (route) => route.abort());
    await card.getByRole('button', { name: 'Send the answer' }).click();
    await expect(card).toBeHidden();
    await slow.getByRole('button', { name: 'Send the answer' }).click();
    await expect(ownersBoard.getByText('This complaint was already answered.')).toBeVisible();
    await ownersBoard.unroute('**/v1/stores/*/complaints');
    expect(await readMail(shop, person.email, 'Coalfinch')).toContain('We rang you.');
    await expect(onOrderPage.getByText('Sorry. We rang you.')).toBeVisible();
    await expect(onOrderPage.getByText('Waiting for the shop’s answer')).toHaveCount(1);
  });

  await test.step("the order's details replace the complaints", async () => {
    const sheet = ownersBoard.getByRole('dialog', { name: '1 complaint to answer' });
    await sheet.getByRole('button', { name: order.number }).click();
    const details = ownersBoard.getByRole('dialog', { name: order.number });
    await expect(details).toBeVisible();
    await expect(sheet).toBeHidden();
    await details.getByRole('button', { name: 'Close' }).click();
    await ownersBoard.getByRole('button', { name: 'Answer', exact: true }).click();
  });

  await test.step("the owner's one tap opens the refund with the dishes of the complaint, which stays open while the cook answers", async () => {
    const card = ownersBoard.getByRole('dialog').locator('[data-complaint]').filter({ hasText: 'It was cold.' });
    const id = await card.getAttribute('data-complaint');
    await card.getByRole('button', { name: 'Give money back' }).click();
    const refund = ownersBoard.getByRole('dialog', { name: /^Refund/ });
    await expect(refund.getByRole('radio', { name: /dishes/i })).toBeChecked();
    await expect(refund.getByRole('combobox')).toHaveValue('2');
    const answer = { answer: 'Your money is on its way.' };
    expect((await shop.api('POST', `/v1/complaints/${id}/answer`, answer, cook.token)).status).toBe(200);
    await expect(card).toBeHidden();
    await refund.getByRole('button', { name: /^(Refund|Give back) £/ }).click();
    await expect(refund).toBeHidden();
    const { body } = await shop.api('GET', `/v1/orders/${order.id}/payments`, undefined, shop.adminToken);
    expect((body['data'] as { refunds: { amount: number }[] }).refunds.map(({ amount }) => amount)).toEqual([
      2 * (dish?.unit_price ?? 0),
    ]);
    await expect(onOrderPage.getByText(/^£[\d.]+ of this order given back so far$/)).toBeVisible();
    expect(await findFaults(otherTab)).toEqual([]);
  });

  await test.step('a complaint about dishes of which some are refunded offers the rest of them, and not the whole order', async () => {
    const again = {
      key: crypto.randomUUID(),
      about: 'order',
      order_id: order.id,
      name: 'Nadia Nut',
      // The throttle counts complaints by address, and the steps before have used up the first address.
      email: 'nadia.nut@example.com',
      message: 'It was cold, as I said.',
      lines: [{ line_id: dish?.id, quantity: 2 }],
    };
    expect((await shop.api('POST', '/v1/complaints', again, person.token)).status).toBe(201);
    await ownersBoard.getByRole('dialog').getByRole('button', { name: 'Give money back' }).click();
    const refund = ownersBoard.getByRole('dialog', { name: /^Refund/ });
    await expect(refund.getByRole('radio', { name: /dishes/i })).toBeChecked();
    await expect(refund.getByRole('combobox')).toHaveValue('1');
    expect(await findFaults(ownersBoard)).toEqual([]);
    await refund.getByRole('button', { name: /^(Refund|Give back) £/ }).click();
    await expect(refund).toBeHidden();
  });

  await test.step('every board and the office show the refund at the complaint, and another one only while money is left', async () => {
    const made = /^£[\d.]+ refunded, \d\d:\d\d$/;
    const office = await window();
    await openOffice(shop, office, '/admin/complaints');
    const [waiting] = (await shop.api('GET', '/v1/complaints', undefined, shop.adminToken)).body['data'] as {
      reference: string;
    }[];
    await office.getByRole('button', { name: waiting?.reference }).click();
    await expect(office.getByText(/^£[\d.]+: Refunded|^£[\d.]+: Given back by hand/)).toBeVisible();
    for (const board of [ownersBoard, cooksBoard]) await expect(board.getByText(made)).toBeVisible();
    for (const page of [ownersBoard, cooksBoard, office]) {
      await expect(page.getByRole('button', { name: 'Give money back' })).toBeHidden();
      expect(await findFaults(page)).toEqual([]);
    }
    // No complaint stays open for the next journey in this shop.
    const { body } = await shop.api('GET', `/v1/stores/${shop.storeId}/complaints`, undefined, shop.adminToken);
    for (const { id } of body['data'] as { id: string }[])
      expect((await shop.api('POST', `/v1/complaints/${id}/answer`, { answer: 'Done.' }, cook.token)).status).toBe(200);
  });
});

test('a guest complains on a phone, the owner sees how long is left and answers, and the guest hears of both by mail', async ({
  shop,
  window,
}) => {
  const email = newAddress();
  const { body } = await shop.api('GET', `/v1/stores/${shop.storeId}`);
  const shopName = (body['data'] as { name: string }).name;
  const complain = async (name: string) => {
    const complaint = { key: crypto.randomUUID(), about: 'data', name, email: newAddress(), message: 'My old address' };
    expect((await shop.api('POST', '/v1/complaints', complaint)).status).toBe(201);
  };
  await complain('Late Larry');
  await shop.wait(5 * minutesOfDay);
  await complain('Soon Sue');
  // A sign-in that nobody uses ends after a month.
  await shop.api('GET', '/v1/auth/user', undefined, shop.adminToken);
  await shop.wait(25 * minutesOfDay + 60);

  const page = await window(phone);
  const heading = page.getByRole('heading', { name: 'We have your complaint' });
  const message = page.getByLabel('What happened');
  const send = page.getByRole('button', { name: 'Send complaint' });
  const words = 'My food was cold.\nPlease give my money back.';
  let reference = '';

  await test.step('what the guest typed survives a reload, is sent once, and is acknowledged', async () => {
    await page.goto('/complaint');
    await expect(page.getByRole('heading', { name: 'Complaints', level: 1 })).toBeVisible();
    expect(await findFaults(page)).toEqual([]);
    await send.click();
    await expect(page.getByText('Please tell us what happened.').first()).toBeVisible();
    const authority = page.getByText('Information Commissioner');
    await expect(authority).toBeVisible();
    await page.getByRole('radio', { name: 'An order' }).check();
    await expect(authority).toBeHidden();
    await page.getByLabel('Order number').fill('57');
    await message.fill(words);
    await page.getByLabel('Name', { exact: true }).fill('Gail Guest');
    await page.getByLabel('Email').fill(email);
    await page.reload();
    await expect(message).toHaveValue(words);
    await expect(page.getByRole('radio', { name: 'An order' })).toBeChecked();
    await expect(page.getByLabel('Order number')).toHaveValue('57');
    await expect(page.getByLabel('Email')).toHaveValue(email);
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Gail Guest');

    // Its answer is lost, and the person reloads and sends it again.
    await page.route('**/v1/complaints', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await send.click();
    await expect(page.getByRole('alert').first()).toBeVisible();
    await page.unroute('**/v1/complaints');
    await page.reload();
    await send.click();
    await expect(heading).toBeVisible();
    const { body: found } = await shop.api('GET', `/v1/complaints?search=${email}`, undefined, shop.adminToken);
    expect(found['data']).toHaveLength(1);
    const told = await page.getByRole('status').filter({ hasText: 'reference' }).textContent();
    reference = /C-[\w]{8}/.exec(told ?? '')?.[0] ?? '';
    expect(await findFaults(page)).toEqual([]);
    expect(await readMail(shop, email, `${shopName} has your complaint`)).toContain(reference);
    await page.getByRole('button', { name: 'Send another one' }).click();
    await expect(message).toHaveValue('');
  });

  await test.step('the office shows how long is left, at every width, and the owner answers', async () => {
    const office = await window();
    await office.clock.install({ time: new Date(Date.now() + fromNow * 60_000) });
    await openOffice(shop, office, '/admin/complaints');
    for (const width of [390, 1280]) {
      await office.setViewportSize({ width, height: 900 });
      await expect(office.getByText('2 complaints must be answered soon')).toBeVisible();
      await expect(office.getByText('Overdue')).toBeVisible();
      await expect(office.getByText('4 days left')).toBeVisible();
      expect(await findFaults(office)).toEqual([]);
    }
    await office.getByRole('button', { name: reference }).click();
    const sheet = office.getByRole('dialog', { name: reference });
    await expect(sheet).toContainText('My food was cold.');
    await sheet.getByRole('button', { name: 'I am looking into it' }).click();
    await expect(sheet.getByRole('button', { name: 'Mark as new' })).toBeVisible();
    await sheet.getByLabel('Your answer').fill('Sorry. Your money is on its way back.');
    // A draft survives a reload.
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

  await test.step('a finished order leads to the form with its number, and a draft goes when its person signs out', async () => {
    const person = await register(shop, 'Dora Draft');
    const order = await sendOrder(shop, {}, person.token);
    for (const step of ['accept', 'collected-by-customer']) await moveOrder(shop, order, step);
    await page.evaluate((token) => localStorage.setItem('token', token), person.token);
    await page.goto(`/orders/${order.id}?lang=pl`);
    await page.getByRole('radio', { name: '2 gwiazdki z 5' }).check({ force: true });
    await page.getByLabel('Kilka słów do właściciela').fill('Zimne frytki.');
    await page.getByRole('button', { name: 'Wyślij' }).click();
    await expect(page.getByText('Właściciel może to już przeczytać.')).toBeVisible();
    expect(await findFaults(page)).toEqual([]);
    const office = await window();
    await openOffice(shop, office, '/admin/ratings');
    await expect(office.getByText('2 of 5 stars in the last 90 days (1 rating)')).toBeVisible();
    await expect(office.getByRole('table')).toContainText('Zimne frytki.');
    expect(await findFaults(office)).toEqual([]);
    await page.getByRole('link', { name: 'Coś nie tak z tym zamówieniem?' }).click();
    await expect(page.getByRole('heading', { name: 'Skargi', level: 1 })).toBeVisible();
    await expect(page.getByText(`Zamówienie ${order.number}`)).toBeVisible();
    await expect(page.getByRole('group', { name: 'Których dań to dotyczy?' })).toBeVisible();

    await page.goto('/complaint?lang=en');
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Dora Draft');
    await message.fill('Nobody else may read this.');
    await page.getByRole('button', { name: 'Account of Dora Draft' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.goto('/complaint');
    await expect(message).toHaveValue('');
  });
});
