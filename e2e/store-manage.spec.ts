import type { Page } from '@playwright/test';
import type { Shop } from '#testing/running-shop.ts';
import { findFaults, showIn, widthBeyond } from './accessible.ts';
import { openOffice } from './office.ts';
import { sendOrder } from './orders.ts';
import { expect, test } from './shop.ts';

const linkTo = (page: Page, section: string) => page.locator(`a[href$="?section=${section}"]`);

/** Opens a section of the settings from another one, without another visit. */
async function goTo(page: Page, section: string): Promise<void> {
  await linkTo(page, section).click();
  await expect(linkTo(page, section)).toHaveAttribute('aria-current', 'page');
  await expect(page.getByRole('heading', { level: 2 })).toBeVisible();
}

async function open(page: Page, shop: Shop, section: string): Promise<Page> {
  await openOffice(shop, page, `/store/manage?section=${section}`);
  await expect(page.getByRole('heading', { level: 2 })).toBeVisible();
  return page;
}

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  // The one before it is gone with the next frame.
  await expect(page.getByText('Saved. Customers and boards see it now.').last()).toBeVisible();
  await expect(page.getByText('Changed, not saved yet')).toBeHidden();
}

/** Takes the last save back, once the notice of an earlier one has left. */
async function undo(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Undo' });
  await expect(button).toHaveCount(1);
  await button.click();
  await expect(page.getByText('Undone.')).toBeVisible();
}

const discard = (page: Page) => page.getByRole('button', { name: 'Discard' }).click();

async function readStore(shop: Shop): Promise<Record<string, unknown>> {
  return (await shop.api('GET', `/v1/stores/${shop.storeId}`)).body['data'] as Record<string, unknown>;
}

async function set(shop: Shop, change: Record<string, unknown>): Promise<void> {
  expect((await shop.api('PATCH', `/v1/stores/${shop.storeId}`, change, shop.adminToken)).status).toBe(200);
}

const daily = (...sessions: [open: string, close: string][]) =>
  ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'].flatMap((day) =>
    sessions.map(([from, to]) => ({ day, open: from, close: to })),
  );

/** Nothing is wider than a phone, a tablet and a desktop; on the phone in the dark and the desktop in light axe finds nothing. */
async function expectGood(page: Page, state: string): Promise<void> {
  for (const [colorScheme, width] of [
    ['dark', 360],
    ['light', 768],
    ['light', 1280],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await showIn(page, colorScheme);
    const what = `${state}, ${colorScheme}, ${width} px`;
    if (width === 768) expect(await widthBeyond(page), what).toBeLessThanOrEqual(0);
    else expect(await findFaults(page), what).toEqual([]);
  }
}

/** Inputs that stand side by side and are not at one height, on a desktop: their hints are of different lengths. */
async function unaligned(page: Page): Promise<string[]> {
  await page.setViewportSize({ width: 1440, height: 900 });
  const inputs = await page.locator('main :is(input:not([type=checkbox]), select)').all();
  const tops = await Promise.all(inputs.map(async (input) => (await input.boundingBox())?.y ?? 0));
  expect(tops.length).toBeGreaterThan(3);
  return tops.flatMap((top, at) => {
    const next = tops[at + 1];
    const isBeside = next !== undefined && Math.abs(next - top) < 40;
    return isBeside && Math.abs(next - top) > 0.5 ? [`${at}: ${top}, ${next}`] : [];
  });
}

test('hours, closures and a pause are what customers see at once; what is wrong has its error beside it', async ({
  shop,
  window,
}) => {
  await set(shop, { operational_hours: daily(['12:00', '14:30']), closures: [], timezone: 'Europe/London' });
  const customer = await window();
  await customer.goto('/');
  const monday = customer.getByRole('term').filter({ hasText: 'Monday' }).locator('..');
  await expect(monday).toContainText('12:00–14:30');
  const page = await open(await window(), shop, 'hours');
  const dialog = page.getByRole('dialog');

  await test.step('a missing time has an error beside its field, which gets the focus', async () => {
    await page.getByLabel('Tuesday, opening 1: closes').fill('');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByLabel('Tuesday, opening 1: closes')).toBeFocused();
    await expect(page.getByText('Use HH:mm, for example 17:30.')).toBeVisible();
    await expectGood(page, 'hours refused');
    await discard(page);
  });

  await test.step('a day gets a second opening and is copied to another', async () => {
    await page.getByRole('button', { name: 'Add an opening on Monday' }).click();
    await page.getByLabel('Monday, opening 2: opens').fill('17:00');
    await page.getByLabel('Monday, opening 2: closes').fill('01:30');
    await expect(page.getByText('Closes at 01:30 the next morning.')).toBeVisible();
    await page.getByRole('button', { name: 'Copy to other days, from Monday' }).click();
    await expectGood(page, 'copy');
    await page.getByRole('checkbox', { name: 'Friday' }).check();
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByText('The week as a table').click();
    await expect(page.getByRole('row', { name: /^Friday/ })).toContainText('17:00–01:30 the next day');
    await save(page);
    await expect(monday).toContainText('12:00–14:30, 17:00–01:30');
    const menus = await shop.api('GET', `/v1/menus/store/${shop.storeId}?include=store`);
    expect(JSON.stringify(menus.body)).toContain('"open":"17:00","close":"01:30"');
    const hours = (await readStore(shop))['operational_hours'] as { day: string }[];
    expect(hours.filter(({ day }) => day === 'Friday')).toHaveLength(2);
    await undo(page);
    await expect(monday).not.toContainText('17:00');
  });

  await test.step('a closure over both clock changes is what customers see, at every instant', async () => {
    await set(shop, { operational_hours: daily(['17:00', '02:00']) });
    await goTo(page, 'closures');
    const card = page.getByRole('group', { name: /\d{4}/ });
    await page.getByRole('button', { name: 'Add a closure' }).click();
    await card.getByLabel('First day').fill('2027-10-30');
    await card.getByLabel('Last day').fill('2027-10-29');
    await expect(page.getByText('The last day is before the first.')).toBeVisible();
    await expectGood(page, 'closure refused');
    await card.getByLabel('Last day').fill('2027-11-01');
    await card.getByLabel('Reason, for customers').fill('Refit');
    await expect(page.getByText('Opens again at 17:00 on Tuesday 2 November.')).toBeVisible();
    await page.getByRole('button', { name: 'Close on Christmas Day' }).first().click();
    await page.getByRole('button', { name: 'Add a closure' }).click();
    await card.last().getByLabel('First day').fill('2027-03-28');
    await card.last().getByLabel('Last day').fill('2027-03-28');
    await save(page);

    await goTo(page, 'view');
    const answer = page.getByRole('region', { name: 'What a customer sees then' });
    const ask = (time: string) => page.getByLabel('Date and time, Europe/London').fill(time);
    await ask('2027-10-29T23:59');
    await expect(answer).toContainText('Open');
    await ask('2027-10-30T00:00');
    await expect(answer).toContainText('A closure, 30 October 2027 to 1 November 2027: Refit');
    await expect(answer).toContainText('Opens at 17:00 on Tuesday 2 November.');
    await expect(answer).toContainText('GMT+1');

    // The hour that exists twice, and the hour that does not exist.
    await ask('2027-10-31T01:30');
    await expect(page.getByText('this time occurs twice')).toBeVisible();
    await expect(answer).toContainText('(GMT+1)');
    await page.getByLabel('The second, after the change (GMT)').check();
    await expect(answer).toContainText('31 October 2027 (GMT)');
    await ask('2027-03-28T01:30');
    await expect(page.getByText('this time does not exist')).toBeVisible();
    await expect(answer).toContainText('A closure: 28 March 2027.');
    await expect(answer).toContainText('Opens at 17:00 tomorrow.');
    await ask('2027-03-29T17:00');
    await expect(answer).toContainText('Within the opening hours');
    await expect(answer).toContainText('(GMT+1)');

    // The page and the server agree.
    const slots = (date: string) =>
      shop.api('GET', `/v1/stores/${shop.storeId}/slots?fulfilment_type=collection&date=${date}`);
    expect((await slots('2027-10-31')).body['data']).toEqual([]);
    await set(shop, { closures: [], operational_hours: daily(['05:00', '05:00']) });
  });

  await test.step('a closure that begins at once is asked about, with the orders that are open', async () => {
    await sendOrder(shop);
    await goTo(page, 'closures');
    const dayFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    await page.getByRole('button', { name: 'Add a closure' }).click();
    // At any hour, and across midnight.
    await page.getByLabel('First day').fill(dayFromNow(-1));
    await page.getByLabel('Last day').fill(dayFromNow(2));
    const saving = page.getByRole('button', { name: 'Save', exact: true });
    await saving.click();
    const question = page.getByRole('dialog', { name: 'Close the shop now?' });
    await expect(question).toContainText('1 order is open, and stays open.');
    await expectGood(page, 'close now');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByText('Changed, not saved yet')).toBeVisible();
    expect(await readStore(shop)).toMatchObject({ closures: [] });

    // The notice of an earlier save would be there before that of this one.
    await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0);
    await saving.click();
    await question.getByRole('button', { name: 'Close it now' }).click();
    await expect(customer.getByText(/^Opens .* at 05:00/).first()).toBeVisible();
    await undo(page);
    expect(await readStore(shop)).toMatchObject({ closures: [] });
  });

  await test.step('a pause with a reason, and its end, are on the storefront immediately', async () => {
    await goTo(page, 'now');
    const panel = page.getByRole('group', { name: 'Pause', exact: true });
    await panel.getByLabel('Stop taking new orders for').selectOption('until');
    await page.locator('input[type="datetime-local"]').fill('2020-01-01T12:00');
    await panel.getByRole('button', { name: 'Pause' }).click();
    await expect(page.locator('[aria-invalid="true"]')).toBeVisible();
    await expectGood(page, 'pause refused');
    await panel.getByLabel('Stop taking new orders for').selectOption('60');
    await panel.getByLabel('Reason').fill('The fryer is broken');
    await panel.getByRole('button', { name: 'Pause' }).click();
    await expect(panel).toContainText('The fryer is broken');
    await expect(customer.getByText(/Short break, back at/).first()).toBeVisible();
    await panel.getByRole('button', { name: 'Start taking orders again' }).click();
    await expect(customer.getByText(/Short break, back at/)).toHaveCount(0);
    // A way that is paused is no choice any more: it says until when, and begins again.
    const part = panel.getByRole('combobox', { name: 'Pause', exact: true });
    await part.selectOption('delivery');
    await panel.getByRole('button', { name: 'Pause' }).click();
    await expect(panel.getByRole('button', { name: 'Deliver again' })).toBeVisible();
    await expect(part.locator('option')).toHaveText(['The whole shop', 'Collection only']);
    await expectGood(page, 'one way paused');
    await panel.getByRole('button', { name: 'Deliver again' }).click();
    await expect(part.locator('option')).toHaveCount(3);
    const busy = page.getByRole('group', { name: 'Busy', exact: true });
    await busy.getByRole('button', { name: '20 extra minutes' }).click();
    await expect(busy.getByRole('button', { name: '20 extra minutes' })).toHaveAttribute('aria-pressed', 'true');
    await busy.getByRole('button', { name: 'Usual times' }).click();
    await page.getByLabel('Take orders').click();
    await expect(page.getByRole('dialog', { name: 'Stop taking orders?' })).toContainText('1 order is open');
    await expectGood(page, 'switch off');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toHaveCount(0);
  });
});

test('zones, pin, contact and receipts are saved one by one; what another owner saved meanwhile is not overwritten', async ({
  shop,
  window,
}) => {
  await set(shop, { location: { latitude: 52.37, longitude: -1.26 }, location_confirmed: false });
  const page = await open(await window(), shop, 'zones');

  await test.step('the longest prefix wins and the page says why; an invalid postcode is refused', async () => {
    await page.getByRole('button', { name: 'Add a zone' }).click();
    const zone = page.getByRole('group', { name: 'New zone' });
    await zone.getByLabel('Postcodes').fill('CV99, Rugby');
    await expect(page.getByText('“Rugby” is not the start of a postcode.')).toBeVisible();
    await expectGood(page, 'zone refused');
    await zone.getByLabel('Postcodes').fill('CV99, CV22 7');
    await zone.getByLabel('Delivery fee').fill('3.20');
    await zone.getByLabel('Name').fill('Hill');
    await page.getByLabel('Postcode', { exact: true }).fill('cv22 7aa');
    const found = page.locator('[data-try]');
    await expect(found).toContainText('CV22 7AA is in Hill, by CV22 7: £3.20');
    await expect(found).toContainText('contains CV22, which is shorter');
    await page.getByLabel('Postcode', { exact: true }).fill('ZE1 0AA');
    await expect(found).toContainText('No zone delivers to ZE1 0AA.');
    await save(page);
    const zones = (await readStore(shop))['delivery_zones'] as { name: string; fee: number }[];
    expect(zones.find(({ name }) => name === 'Hill')).toMatchObject({
      fee: 320,
      postcode_prefixes: ['CV99', 'CV22 7'],
    });
  });

  await test.step('the pin moves by arrow keys, by buttons and by numbers', async () => {
    const latitude = page.getByLabel('Latitude');
    await expect(latitude).toHaveValue('52.37');
    // Nobody has said yet that the shop is there.
    const isRight = page.getByRole('checkbox', { name: 'The pin is at the shop' });
    await expect(isRight).toBeHidden();
    await expect(page.getByText('Type the latitude and longitude of your door')).toBeVisible();
    await page.locator('.map-pin').focus();
    await page.keyboard.press('ArrowUp');
    await expect(latitude).toHaveValue('52.3701');
    await isRight.click();
    await expect(isRight).toBeHidden();
    await expect(latitude).toHaveValue('52.37');
    await page.locator('.map-pin').focus();
    await page.keyboard.press('ArrowUp');
    await expect(isRight).toBeChecked();
    await page.keyboard.press('Shift+ArrowLeft');
    await expect(page.getByLabel('Longitude')).toHaveValue('-1.261');
    await page.getByRole('button', { name: 'South' }).click();
    await expect(latitude).toHaveValue('52.37');
    await latitude.fill('52.4123');
    await page.getByLabel('Longitude').fill('-1.3');
    await save(page);
    await expect(isRight).toBeHidden();
    const { location, location_confirmed: isConfirmed } = await readStore(shop);
    expect({ location, isConfirmed }).toEqual({ location: { latitude: 52.4123, longitude: -1.3 }, isConfirmed: true });
  });

  await test.step('a refused email address has its error beside it', async () => {
    await goTo(page, 'contact');
    await page.getByLabel('Email').fill('nobody');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true');
    await expectGood(page, 'contact refused');
    await discard(page);
  });

  await test.step("another owner's saved value is shown beside mine, and neither is lost silently", async () => {
    await set(shop, { phone: '01788 000000', legal_name: 'First Ltd', prep_minutes: 20 });
    await expect(page.getByLabel('Phone')).toHaveValue('01788 000000');
    await page.getByLabel('Phone').fill('01788 111111');
    await page.getByLabel('Legal name').fill('Mine Ltd');
    await set(shop, { phone: '01788 222222', legal_name: 'Theirs Ltd' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Someone else has changed this in the meantime' });
    await expect(dialog).toContainText('01788 111111');
    await expect(dialog).toContainText('01788 222222');
    expect((await readStore(shop))['phone']).toBe('01788 222222');
    await expectGood(page, 'two owners');
    await dialog.getByRole('radiogroup', { name: 'Phone' }).getByLabel('Keep yours').check();
    await dialog.getByRole('radiogroup', { name: 'Legal name' }).getByLabel('Keep theirs').check();
    await dialog.getByRole('button', { name: 'Save these' }).click();
    // The notice of an earlier save may still be there.
    await expect.poll(() => readStore(shop)).toMatchObject({ phone: '01788 111111', legal_name: 'Theirs Ltd' });
    await expect(page.getByText('Saved. Customers and boards see it now.').last()).toBeVisible();
    // Their change is in my fields without a reload.
    await set(shop, { phone: '01788 444444' });
    await expect(page.getByLabel('Phone')).toHaveValue('01788 444444');

    // Changes of different fields do not conflict.
    await page.getByLabel('Phone').fill('01788 333333');
    await set(shop, { prep_minutes: 25 });
    await save(page);
  });

  await test.step('the preview of the receipts follows what is changed, before it is saved', async () => {
    await goTo(page, 'receipts');
    const paper = page.getByRole('region', { name: 'How it looks on paper' }).locator('img');
    await expect(paper).toHaveAttribute('alt', /GB 123 4567 82/);
    // It stays in sight beside the last of the fields.
    await page.getByLabel('Foot of the receipt').fill('See you on Friday');
    await expect(paper).toHaveAttribute('alt', /See you on Friday/);
    await expect(paper).toBeInViewport();
    await page.getByLabel('VAT number').fill('');
    await expect(paper).not.toHaveAttribute('alt', /VAT/);
    // Each switch shows what it is for: the sample is a delivery, and has a place for the logo.
    for (const name of [/logo on customer receipts/, /directions for the driver/, /opens the order’s page/]) {
      const before = await paper.getAttribute('src');
      await page.getByLabel(name).click();
      await expect(paper).not.toHaveAttribute('src', String(before));
    }
    await page.getByLabel('Sample order').selectOption('A collection');
    await expect(paper).not.toHaveAttribute('alt', /DELIVERY/);
    await page.getByLabel('Receipt', { exact: true }).selectOption('Kitchen receipt');
    await expect(paper).not.toHaveAttribute('alt', /TOTAL/);
    const heightOf = async () => {
      const { width = 1, height = 0 } = (await paper.boundingBox()) ?? {};
      return height / width;
    };
    const normal = await heightOf();
    await page.getByLabel('Text size on kitchen receipts').selectOption('Large');
    await expect.poll(heightOf).toBeGreaterThan(normal);
    await page.getByRole('button', { name: 'Discard' }).click();
    expect((await readStore(shop))['receipt_footer']).not.toBe('See you on Friday');
  });

  // The other sections were looked at while something in them was wrong.
  for (const section of ['contact', 'slots', 'zones']) {
    await goTo(page, section);
    expect(await unaligned(page), section).toEqual([]);
  }
  for (const section of ['view', 'slots', 'ordering', 'receipts', 'look']) {
    await goTo(page, section);
    await page.waitForLoadState('networkidle');
    await expectGood(page, section);
  }

  await test.step('leaving with unsaved changes asks; opening another section does not', async () => {
    await goTo(page, 'contact');
    await page.getByLabel('Phone').fill('never saved');
    await page.getByRole('link', { name: 'Look' }).click();
    await page.getByRole('link', { name: 'Contact and legal · not saved' }).click();
    await expect(page.getByLabel('Phone')).toHaveValue('never saved');
    await page.evaluate("history.pushState(null, '', '/store/orders')");
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    await expect(dialog).toBeVisible();
    await expectGood(page, 'leave');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(page).toHaveURL(/\/store\/manage/);
    await page.evaluate("history.pushState(null, '', '/store/orders')");
    await dialog.getByRole('button', { name: 'Leave without saving' }).click();
    await expect(page).toHaveURL('/store/orders');
  });
});
