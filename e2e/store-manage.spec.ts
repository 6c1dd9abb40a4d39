import type { Page } from '@playwright/test';
import type { Shop } from '#testing/running-shop.ts';
import { expectAccessible, findFaults } from './accessible.ts';
import { fillSignIn, hire, register, signedIn } from './people.ts';
import { expect, test } from './shop.ts';

const at = (section: string): string => `/store/manage?section=${section}`;

async function open(page: Page, shop: Shop, section: string): Promise<Page> {
  await signedIn(page, shop.adminToken);
  await page.goto(at(section));
  await expect(page.getByRole('heading', { level: 2 })).toBeVisible();
  return page;
}

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  // The one before it is gone with the next frame.
  await expect(page.getByText('Saved. Customers and boards see it now.').last()).toBeVisible();
  await expect(page.getByText('Changed, not saved yet')).toBeHidden();
}

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

test('a day gets a second session and is copied to another; storefront and menu call show it immediately', async ({
  shop,
  window,
}) => {
  await set(shop, { operational_hours: daily(['12:00', '14:30']), timezone: 'Europe/London' });
  const customer = await window();
  await customer.goto('/');
  const monday = customer.getByRole('term').filter({ hasText: 'Monday' }).locator('..');
  await expect(monday).toContainText('12:00–14:30');

  const page = await open(await window(), shop, 'hours');
  await page.getByRole('button', { name: 'Add a session on Monday' }).click();
  await page.getByLabel('Monday, session 2 opens').fill('17:00');
  await page.getByLabel('Monday, session 2 closes').fill('01:30');
  await expect(page.getByText('Closes at 01:30 the next morning.')).toBeVisible();
  await page.getByRole('button', { name: 'Copy to other days, from Monday' }).click();
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

  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Undone.')).toBeVisible();
  await expect(monday).not.toContainText('17:00');
});

test('a missing time has an error beside its field, which gets the focus', async ({ shop, window }) => {
  await set(shop, { operational_hours: daily(['12:00', '14:30']) });
  const page = await open(await window(), shop, 'hours');
  await page.getByLabel('Tuesday, session 1 closes').fill('');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByLabel('Tuesday, session 1 closes')).toBeFocused();
  await expect(page.getByText('Use HH:mm, for example 17:30.')).toBeVisible();
});

test('a closure over both clock changes is what customers see, at every instant', async ({ shop, window }) => {
  await set(shop, { operational_hours: daily(['17:00', '02:00']), closures: [], timezone: 'Europe/London' });
  const page = await open(await window(), shop, 'closures');
  const card = page.getByRole('group', { name: /\d{4}/ });
  await page.getByRole('button', { name: 'Add a closure' }).click();
  await card.getByLabel('First day').fill('2027-10-30');
  await card.getByLabel('Last day').fill('2027-10-29');
  await expect(page.getByText('The last day is before the first.')).toBeVisible();
  await card.getByLabel('Last day').fill('2027-11-01');
  await card.getByLabel('Reason, for customers').fill('Refit');
  await expect(page.getByText('Opens again at 17:00 on Tuesday 2 November.')).toBeVisible();
  await page.getByRole('button', { name: 'Close on Christmas Day' }).first().click();
  await page.getByRole('button', { name: 'Add a closure' }).click();
  await card.last().getByLabel('First day').fill('2027-03-28');
  await card.last().getByLabel('Last day').fill('2027-03-28');
  await save(page);

  await page.getByRole('link', { name: 'What a customer sees' }).click();
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

test('zones: the longest prefix wins and the page says why; an invalid postcode is refused', async ({
  shop,
  window,
}) => {
  const page = await open(await window(), shop, 'zones');
  await page.getByRole('button', { name: 'Add a zone' }).click();
  const zone = page.getByRole('group', { name: 'New zone' });
  await zone.getByLabel('Postcodes').fill('CV99, Rugby');
  await expect(page.getByText('“Rugby” is not the start of a postcode.')).toBeVisible();
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
  expect(zones.find(({ name }) => name === 'Hill')).toMatchObject({ fee: 320, postcode_prefixes: ['CV99', 'CV22 7'] });
});

test('the pin moves by arrow keys, by buttons and by numbers', async ({ shop, window }) => {
  await set(shop, { location: { latitude: 52.37, longitude: -1.26 } });
  const page = await open(await window(), shop, 'zones');
  const latitude = page.getByLabel('Latitude');
  await expect(latitude).toHaveValue('52.37');
  await page.locator('.map-pin').focus();
  await page.keyboard.press('ArrowUp');
  await expect(latitude).toHaveValue('52.3701');
  await page.keyboard.press('Shift+ArrowLeft');
  await expect(page.getByLabel('Longitude')).toHaveValue('-1.261');
  await page.getByRole('button', { name: 'South' }).click();
  await expect(latitude).toHaveValue('52.37');
  await latitude.fill('52.4123');
  await page.getByLabel('Longitude').fill('-1.3');
  await save(page);
  expect((await readStore(shop))['location']).toEqual({ latitude: 52.4123, longitude: -1.3 });
});

test("two owners at once: the other's saved value is shown beside mine, and neither is lost silently", async ({
  shop,
  window,
}) => {
  await set(shop, { phone: '01788 000000', legal_name: 'First Ltd', prep_minutes: 20 });
  const mine = await open(await window(), shop, 'contact');
  const theirs = await open(await window(), shop, 'contact');
  await mine.getByLabel('Phone').fill('01788 111111');
  await mine.getByLabel('Legal name').fill('Mine Ltd');
  await theirs.getByLabel('Phone').fill('01788 222222');
  await theirs.getByLabel('Legal name').fill('Theirs Ltd');
  await save(theirs);

  await mine.getByRole('button', { name: 'Save', exact: true }).click();
  const dialog = mine.getByRole('dialog', { name: 'Someone else has changed this in the meantime' });
  await expect(dialog).toContainText('01788 111111');
  await expect(dialog).toContainText('01788 222222');
  expect((await readStore(shop))['phone']).toBe('01788 222222');
  for (const [colorScheme, width] of [
    ['dark', 360],
    ['light', 1280],
  ] as const) {
    await mine.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await mine.setViewportSize({ width, height: 800 });
    await expectAccessible(mine, `two owners, ${colorScheme}`);
  }
  await dialog.getByRole('radiogroup', { name: 'Phone' }).getByLabel('Keep yours').check();
  await dialog.getByRole('radiogroup', { name: 'Legal name' }).getByLabel('Keep theirs').check();
  await dialog.getByRole('button', { name: 'Save these' }).click();
  await expect(mine.getByText('Saved. Customers and boards see it now.')).toBeVisible();
  expect(await readStore(shop)).toMatchObject({ phone: '01788 111111', legal_name: 'Theirs Ltd' });
  await expect(theirs.getByLabel('Phone')).toHaveValue('01788 111111');

  // Changes of different fields do not conflict.
  await mine.getByLabel('Phone').fill('01788 333333');
  await set(shop, { prep_minutes: 25 });
  await save(mine);
});

test('leaving with unsaved changes asks; opening another section does not', async ({ shop, window }) => {
  const page = await open(await window(), shop, 'contact');
  await page.getByLabel('Phone').fill('never saved');
  await page.getByRole('link', { name: 'Look' }).click();
  await page.getByRole('link', { name: 'Contact and legal · not saved' }).click();
  await expect(page.getByLabel('Phone')).toHaveValue('never saved');
  await page.evaluate("history.pushState(null, '', '/store/orders')");
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveURL(/\/store\/manage/);
  await page.evaluate("history.pushState(null, '', '/store/orders')");
  await dialog.getByRole('button', { name: 'Leave without saving' }).click();
  await expect(page).toHaveURL('/store/orders');
});

test('a pause with a reason, and its end, are on the storefront immediately', async ({ shop, window }) => {
  await set(shop, { closures: [], operational_hours: daily(['05:00', '05:00']) });
  const customer = await window();
  await customer.goto('/');
  const page = await open(await window(), shop, 'now');
  const panel = page.getByRole('group', { name: 'Pause', exact: true });
  await panel.getByLabel('Stop taking new orders for').selectOption('60');
  await panel.getByLabel('Reason').fill('The fryer is broken');
  await panel.getByRole('button', { name: 'Pause' }).click();
  await expect(panel).toContainText('The fryer is broken');
  await expect(customer.getByText(/Short break, back at/).first()).toBeVisible();
  await panel.getByRole('button', { name: 'Start taking orders again' }).click();
  await expect(customer.getByText(/Short break, back at/)).toHaveCount(0);
  const busy = page.getByRole('group', { name: 'Busy', exact: true });
  await busy.getByRole('button', { name: '20 extra minutes' }).click();
  await expect(busy.getByRole('button', { name: '20 extra minutes' })).toHaveAttribute('aria-pressed', 'true');
  await busy.getByRole('button', { name: 'Usual times' }).click();
});

test('the preview of the receipts follows what is changed, before it is saved', async ({ shop, window }) => {
  const page = await open(await window(), shop, 'receipts');
  const paper = page.getByRole('region', { name: 'How it looks on paper' }).locator('img');
  await expect(paper).toHaveAttribute('alt', /GB 123 4567 89/);
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

const sections = ['now', 'hours', 'closures', 'view', 'zones', 'slots', 'ordering', 'contact', 'receipts', 'look'];

for (const [name, colorScheme, width] of [
  ['a phone in the dark', 'dark', 360],
  ['a tablet', 'light', 768],
  ['a desktop', 'light', 1280],
] as const) {
  test(`every section fits ${name}, and axe finds nothing`, async ({ shop, window }) => {
    test.slow();
    const look = { colorScheme, viewport: { width, height: 800 }, reducedMotion: 'reduce' } as const;
    const page = await open(await window(look), shop, 'now');
    const found: string[] = [];
    for (const section of sections) {
      await page.goto(at(section));
      await expect(page.getByRole('heading', { level: 2 })).toBeVisible();
      await page.waitForLoadState('networkidle');
      found.push(...(await findFaults(page)).map((fault) => `${section} ${fault}`));
    }
    expect(found).toEqual([]);
  });
}

for (const [name, colorScheme, width] of [
  ['a phone in the dark', 'dark', 360],
  ['a desktop', 'light', 1280],
] as const) {
  test(`axe finds nothing in errors and questions on ${name}`, async ({ shop, window }) => {
    test.slow();
    await set(shop, { closures: [], operational_hours: daily(['12:00', '14:30']), phone: '01788 000000' });
    const page = await open(
      await window({ colorScheme, viewport: { width, height: 800 }, reducedMotion: 'reduce' }),
      shop,
      'hours',
    );
    const found: string[] = [];
    const look = async (what: string): Promise<void> => {
      found.push(...(await findFaults(page)).map((fault) => `${what} ${fault}`));
    };
    const dialog = page.getByRole('dialog');
    const cancel = async (): Promise<void> => {
      await dialog
        .getByRole('button', { name: 'Cancel' })
        .or(dialog.getByRole('button', { name: 'Close' }))
        .first()
        .click();
      await expect(dialog).toHaveCount(0);
    };
    await page.getByRole('button', { name: 'Copy to other days, from Monday' }).click();
    await expect(dialog).toBeVisible();
    await look('copy');
    await cancel();
    await page.getByLabel('Tuesday, session 1 closes').fill('');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('Use HH:mm, for example 17:30.')).toBeVisible();
    await look('hours refused');
    await page.getByRole('button', { name: 'Discard' }).click();

    await page.goto(at('closures'));
    await page.getByRole('button', { name: 'Add a closure' }).click();
    await page.getByLabel('First day').fill('2027-10-30');
    await page.getByLabel('Last day').fill('2027-10-29');
    await expect(page.getByText('The last day is before the first.')).toBeVisible();
    await look('closure refused');
    await page.getByRole('button', { name: 'Discard' }).click();

    await page.goto(at('zones'));
    await page.getByRole('button', { name: 'Add a zone' }).click();
    await page.getByRole('group', { name: 'New zone' }).getByLabel('Postcodes').fill('Rugby');
    await expect(page.getByText('“Rugby” is not the start of a postcode.')).toBeVisible();
    await look('zone refused');
    await page.getByRole('button', { name: 'Discard' }).click();

    await page.goto(at('contact'));
    await page.getByLabel('Email').fill('nobody');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true');
    await look('contact refused');
    await page.evaluate("history.pushState(null, '', '/store/orders')");
    await expect(page.getByRole('dialog', { name: 'Leave without saving?' })).toBeVisible();
    await look('leave');
    await cancel();
    await page.getByRole('button', { name: 'Discard' }).click();

    await page.goto(at('now'));
    await page.getByLabel('Take orders').click();
    await expect(page.getByRole('dialog', { name: 'Stop taking orders?' })).toBeVisible();
    await look('switch off');
    await cancel();
    await page.getByLabel('Stop taking new orders for').selectOption('until');
    await page.locator('input[type="datetime-local"]').fill('2020-01-01T12:00');
    await page.getByRole('group', { name: 'Pause', exact: true }).getByRole('button', { name: 'Pause' }).click();
    await expect(page.locator('[aria-invalid="true"]')).toBeVisible();
    await look('pause refused');
    expect(found).toEqual([]);
  });
}

test('only the owner can open the page, and read or write its data', async ({ shop, window }) => {
  const { token: customer } = await register(shop);
  const store = `/v1/stores/${shop.storeId}`;
  const { token: staff } = await hire(shop, 'Sam Stove');
  for (const token of [customer, staff, undefined]) {
    const refused = token ? 403 : 401;
    expect((await shop.api('PATCH', store, { phone: 'x' }, token)).status).toBe(refused);
    expect((await shop.api('GET', `${store}/receipt-preview`, undefined, token)).status).toBe(refused);
    // The board needs to know how full the slots are, too.
    if (token !== staff) expect((await shop.api('GET', `${store}/slots/taken`, undefined, token)).status).toBe(refused);
  }
  for (const token of [customer, staff]) {
    const page = await signedIn(await window(), token);
    await page.goto(at('hours'));
    await page.waitForURL('/');
  }

  const guest = await window();
  await guest.goto(at('hours'));
  await guest.waitForURL('/login');
  await fillSignIn(guest);
  await guest.waitForURL(at('hours'));
});
