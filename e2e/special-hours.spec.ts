import type { Page } from '@playwright/test';
import type { Shop } from '#testing/running-shop.ts';
import { findFaults, showIn } from './accessible.ts';
import { openBoard } from './board.ts';
import { openOffice } from './office.ts';
import { expect, test } from './shop.ts';
import { chooseWay, openCheckout, openPart } from './storefront.ts';

const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const daily = (from: string, to: string) => days.map((day) => ({ day, open: from, close: to }));

async function set(shop: Shop, change: Record<string, unknown>): Promise<void> {
  expect((await shop.api('PATCH', `/v1/stores/${shop.storeId}`, change, shop.adminToken)).status).toBe(200);
}

async function readSpecialHours(shop: Shop): Promise<unknown> {
  const { body } = await shop.api('GET', `/v1/stores/${shop.storeId}`);
  return (body['data'] as Record<string, unknown>)['special_hours'];
}

/** The next date of a night in which London's clocks skip an hour. */
function nextNightWithoutHour(): string {
  const hourAt = (at: number) =>
    Number(
      new Intl.DateTimeFormat('en-GB', { hour: '2-digit', hourCycle: 'h23', timeZone: 'Europe/London' }).format(at),
    );
  const noon = Math.ceil(Date.now() / 86_400_000) * 86_400_000 + 43_200_000;
  const days = Array.from({ length: 366 }, (_, day) => noon + day * 86_400_000);
  const day = days.find((at) => hourAt(at) > hourAt(at - 86_400_000));
  return new Date(day ?? noon).toISOString().slice(0, 10);
}

function dayBefore(date: string): string {
  return new Date(Date.parse(date) - 86_400_000).toISOString().slice(0, 10);
}

/** Chooses a date in the calendar, in its own month or a later one. */
async function chooseDay(page: Page, date: string): Promise<void> {
  const day = page.locator(`[data-date="${date}"]:visible`);
  const month = page.locator('h3[aria-live]');
  await expect(month).toBeVisible();
  while ((await day.count()) === 0) {
    const before = (await month.textContent()) ?? '';
    await page.getByRole('button', { name: 'Month after' }).click();
    await expect(month).not.toHaveText(before);
  }
  await day.click();
  await expect(day).toHaveAttribute('aria-pressed', 'true');
}

test("the owner gives a date its own hours: customers see them in the shop's hours, the slots and the data for search engines", async ({
  shop,
  window,
}) => {
  const date = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  await set(shop, {
    operational_hours: daily('17:00', '23:00'),
    preorder_days: 6,
    last_order_minutes: 0,
    special_hours: [],
  });
  const page = await openOffice(
    shop,
    await window({ viewport: { width: 1440, height: 900 } }),
    '/store/manage?section=closures',
  );

  await test.step('in the calendar, with the keys too', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const shown = page.locator('ul [data-date]:visible');
    await expect(shown.first(), 'the list of a phone begins at today').toHaveAttribute('aria-current', 'date');
    await page.setViewportSize({ width: 1440, height: 900 });
    await chooseDay(page, date);
    await page.keyboard.press('PageDown');
    await page.keyboard.press('PageUp');
    await expect(page.locator(`table [data-date="${date}"]`)).toBeFocused();
    await page.getByRole('radio', { name: 'Other hours' }).check();
    await page.getByLabel('Opening 1: opens').fill('12:00');
    await page.getByLabel('Opening 1: closes').fill('');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('Use HH:mm, for example 17:30.')).toBeVisible();
    await page.getByLabel('Opening 1: closes').fill('16:00');
    await page.getByLabel('Reason, for customers').fill('Christmas Day');
    await page.getByRole('checkbox', { name: /^Every year on/ }).check();
    for (const [scheme, width] of [
      ['light', 1440],
      ['dark', 390],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await showIn(page, scheme);
      expect(await findFaults(page), `${scheme}, ${width} px`).toEqual([]);
    }
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('Saved. Customers and boards see it now.').last()).toBeVisible();
    const hours = [{ open: '12:00', close: '16:00' }];
    expect(await readSpecialHours(shop)).toEqual([{ date, repeats_yearly: true, hours, reason: 'Christmas Day' }]);
  });

  await test.step('a time that the clocks skip is told beside it, at both sizes', async () => {
    const night = nextNightWithoutHour();
    await chooseDay(page, night);
    await page.getByRole('radio', { name: 'Other hours' }).check();
    await page.getByLabel('Opening 1: opens').fill('01:30');
    await page.getByLabel('Opening 1: closes').fill('05:00');
    const said = page.getByText('The clocks go forward that night: 01:30 does not exist. You open at 02:00.');
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await showIn(page, 'light');
      await expect(said).toBeVisible();
      expect(await findFaults(page), `${width} px`).toEqual([]);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await chooseDay(page, dayBefore(night));
    await page.getByRole('radio', { name: 'Other hours' }).check();
    await page.getByLabel('Opening 1: opens').fill('17:00');
    await page.getByLabel('Opening 1: closes').fill('01:30');
    await expect(page.getByText('01:30 does not exist. You close at 02:00.')).toBeVisible();
    await expect(page.getByText('the next morning')).toHaveCount(0);
    await page.getByLabel('Opening 1: closes').fill('17:00');
    await expect(page.getByText('Open for 24 hours: until 17:00 the next day.')).toBeVisible();
    await page.getByRole('button', { name: 'Discard' }).first().click();
    await page.reload();
    await chooseDay(page, date);
  });

  await test.step('a day that is over cannot be edited', async () => {
    await page.getByRole('button', { name: 'Month before' }).click();
    await page.getByRole('button', { name: 'Month before' }).click();
    await page.locator('table [data-date]').first().click();
    await expect(page.getByText('This day is over, so its hours cannot be changed any more.')).toBeVisible();
    await expect(page.getByRole('radio', { name: 'Other hours' })).toHaveCount(0);
    await chooseDay(page, date);
  });

  const customer = await window({ viewport: { width: 390, height: 844 } });
  await test.step('on the home page and at the checkout', async () => {
    await customer.goto('/');
    await expect(customer.getByText('Christmas Day: 12:00–16:00')).toBeVisible();
    const data = await customer.locator('script[type="application/ld+json"]').first().textContent();
    expect(data).toContain(`"opens":"12:00","closes":"16:00","validFrom":"${date}"`);
    await openCheckout(shop, customer);
    await chooseWay(customer, 'Collection');
    await openPart(customer, 'when');
    const later = customer.getByRole('radio', { name: 'Choose a time' });
    if (await later.isVisible()) await later.check();
    await customer.getByRole('combobox', { name: 'Day', exact: true }).selectOption(date);
    await expect(customer.getByText('Christmas Day: 12:00–16:00')).toBeVisible();
    const times = customer.getByRole('combobox', { name: 'Time', exact: true }).locator('option:not([value=""])');
    await expect(times.last()).toHaveText('15:45–16:00');
    expect(await times.first().textContent()).toMatch(/^12:/);
  });

  await test.step('another owner who changed the day meanwhile is seen, with both hours', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('radio', { name: 'Closed all day' }).check();
    const hours = [{ open: '10:00', close: '14:00' }];
    await set(shop, { special_hours: [{ date, repeats_yearly: true, hours, reason: 'Christmas Day' }] });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText('10:00–14:00');
    await expect(dialog).toContainText('Closed: Christmas Day');
    await dialog.getByRole('radio').last().check();
    await dialog.getByRole('button').last().click();
    await expect(dialog).toHaveCount(0);
    expect(await readSpecialHours(shop)).toMatchObject([{ hours }]);
  });
});

test('a cook stops delivery alone and closes early from the board; customers see it at once, and collection goes on', async ({
  shop,
  window,
}) => {
  // The trading day began two hours ago, so that full hours are left whenever this runs.
  const hour = Number(new Intl.DateTimeFormat('en-GB', { hour: '2-digit', timeZone: 'Europe/London' }).format());
  const start = `${String((hour + 22) % 24).padStart(2, '0')}:00`;
  await set(shop, {
    operational_hours: daily(start, start),
    day_starts_at: start,
    last_order_minutes: 0,
    special_hours: [],
  });
  const board = await openBoard(shop, await window({ viewport: { width: 1440, height: 900 } }), { path: '/kitchen' });
  const customer = await window({ viewport: { width: 390, height: 844 } });
  await openCheckout(shop, customer);
  const open = () => board.getByRole('button', { name: 'Pause', exact: true }).click();

  await open();
  await board.getByRole('menuitem', { name: /^No delivery for an hour/ }).click();
  await expect(board.getByText('Delivery is paused. Collection goes on.')).toBeVisible();
  const again = board.getByRole('button', { name: /^Delivery again/ });
  await expect(again).toBeVisible();
  await chooseWay(customer, 'Delivery');
  await expect(customer.getByText(/^We are not delivering until \d\d:\d\d\. You can still collect\./)).toBeVisible();
  await chooseWay(customer, 'Collection');
  await openPart(customer, 'when');
  await expect(customer.getByRole('radio', { name: /^As soon as possible/ })).toBeVisible();
  await again.click();
  await expect(again).toHaveCount(0);
  await chooseWay(customer, 'Delivery');
  await expect(customer.getByText(/^We are not delivering/)).toHaveCount(0);

  await open();
  const early = board.getByRole('menuitem', { name: /^Close at \d\d:00$/ }).last();
  const time = (await early.textContent())?.slice(-5) ?? '';
  await early.click();
  await expect(board.getByText(`Open until ${time}`).first()).toBeVisible();
  await expect.poll(() => readSpecialHours(shop)).toHaveLength(1);
  await board.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => readSpecialHours(shop)).toEqual([]);
});
