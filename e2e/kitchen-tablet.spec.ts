import type { Locator, Page } from '@playwright/test';
import type { Shop } from '#testing/running-shop.ts';
import { createStarPrinter, type StarPrinter } from '#simulators/printers/star-printer.ts';
import { expectAccessible } from './accessible.ts';
import { cutBanners, openBoard, tap, ticket } from './board.ts';
import { findLostText } from './large-text.ts';
import { linesWithOption, moveOrder, type Placed, readOrder, sendOrder } from './orders.ts';
import { expect, test } from './shop.ts';

// A busy machine is slow; nothing here is measured.
const tablet = { width: 1024, height: 768 };
const desktop = { width: 1920, height: 1080 };
const phone = { width: 390, height: 844 };

async function sendOrders(shop: Shop, count: number, dishes = 4): Promise<Placed[]> {
  const lines = await linesWithOption(shop, dishes);
  expect(lines).toHaveLength(dishes);
  const orders: Placed[] = [];
  while (orders.length < count) orders.push(await sendOrder(shop, { lines }));
  return orders;
}

/** Ends all orders on the board, of which it shows none any more. */
async function clear(shop: Shop): Promise<void> {
  const { body } = await shop.api(
    'GET',
    '/v1/orders?status=placed,accepted,packed&per_page=100',
    undefined,
    shop.adminToken,
  );
  for (const order of body['data'] as { id: string; status: string }[]) {
    if (order.status === 'placed') await moveOrder(shop, order, 'reject', { reason: 'too_busy' });
    else await moveOrder(shop, order, 'collected-by-customer');
  }
}

/** Whether the element in the middle of the button is the button itself. */
const isUncovered = (button: Locator): Promise<boolean> =>
  button.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return element.contains(element.ownerDocument.elementFromPoint(left + width / 2, top + height / 2));
  });

/** One of a ticket's dishes, without its options. */
const dish = (shown: Locator, place: number): Locator => shown.getByText(/^\d+ ×$/).nth(place);

/** The parts of these tickets that are cut, covered or too small for a finger, by one call: one for each would be hundreds. */
const notWhole = (board: Page, orders: readonly Placed[]): Promise<string[]> =>
  board.evaluate(`(async (orders) => {
    const faults = [];
    const parts = orders.flatMap(({ id, dishes }) => {
      const ticket = document.querySelector('[data-ticket="' + id + '"]');
      if (!ticket) faults.push(id + ' is missing');
      if (!ticket) return [];
      const shown = [...ticket.querySelectorAll('*')].filter(
        (each) => each.children.length === 0 && /^\\d+ ×$/.test(each.textContent.trim()),
      );
      if (shown.length < dishes) faults.push(id + ' lacks dishes');
      const named = (name) => [...ticket.querySelectorAll('button')].find((each) => name.test(each.ariaLabel ?? each.textContent.trim()));
      const buttons = [/^Accept/, /^Reject$/, /^5 minutes more$/, /^5 minutes less$/].map(named);
      if (buttons.includes(undefined)) faults.push(id + ' lacks buttons');
      for (const each of buttons.filter(Boolean)) {
        const { left, top, width, height } = each.getBoundingClientRect();
        if (Math.min(width, height) < 44) faults.push(id + ' has a small button: ' + each.textContent);
        if (!each.contains(document.elementFromPoint(left + width / 2, top + height / 2))) {
          faults.push(id + ' has a covered button: ' + each.textContent);
        }
      }
      return [ticket, ...shown, ...buttons.filter(Boolean)].map((part) => ({ id, part }));
    });
    const seen = await new Promise((resolve) => {
      const watch = new IntersectionObserver(resolve);
      for (const { part } of parts) watch.observe(part);
      if (parts.length === 0) resolve([]);
    });
    const ratios = new Map(seen.map(({ target, intersectionRatio }) => [target, intersectionRatio]));
    const cut = parts.filter(({ part }) => (ratios.get(part) ?? 0) < 1 - 1e-9);
    return [...faults, ...cut.map(({ id, part }) => id + ' is cut at: ' + part.textContent)];
  })(${JSON.stringify(orders.map(({ id, lines }) => ({ id, dishes: lines.length })))})`);

async function expectWhole(board: Page, orders: readonly Placed[]): Promise<void> {
  await expect.poll(() => notWhole(board, orders)).toEqual([]);
}

test('a tablet shows six new orders completely, a large screen twelve, and each order’s next step and allergy at any time', async ({
  shop,
  window,
}) => {
  const address = { line1: '1 Example Street', city: 'Rugby', postcode: 'CV23 9AA' };
  const lines = (await linesWithOption(shop, 4)).map((line) => ({ ...line, quantity: 2 }));
  // One of the first orders has more text than the others.
  const delivery = await sendOrder(shop, { lines, fulfilment_type: 'delivery', address });
  const orders = [delivery, ...(await sendOrders(shop, 11))];
  const expectFit = async (board: Page, viewport: typeof tablet, count: number): Promise<void> => {
    await board.setViewportSize(viewport);
    // Together with the bar at the bottom while they ring.
    await expect(board.getByRole('button', { name: 'Heard it' })).toBeVisible();
    await expectWhole(board, orders.slice(0, count));
    // Beside the payment mark.
    const postcode = await ticket(board, delivery).getByText('CV23 9AA').boundingBox();
    const due = await ticket(board, delivery).getByText('To pay').boundingBox();
    if (!postcode || !due) throw new Error('both are shown');
    expect(postcode.x + postcode.width).toBeLessThanOrEqual(due.x);
  };
  const board = await openBoard(shop, await window({ viewport: tablet }), { path: '/kitchen' });
  await expectFit(board, tablet, 6);
  await expectFit(board, desktop, 12);
  await expectAccessible(board);
  // The shift goes on.
  await board.goto('/store/orders');
  await expectFit(board, desktop, 12);
  await expectFit(board, tablet, 6);
  await expectAccessible(board);

  // Under a finger no ticket moves, though the accepted one has other words now.
  const places = () =>
    board.locator('[data-ticket]').evaluateAll((all) =>
      all.map((each) => {
        const { x, y, height } = each.getBoundingClientRect();
        return [x, y, height].map(Math.round);
      }),
    );
  const before = await places();
  const [, accepted, taken] = orders;
  if (!accepted || !taken) throw new Error('twelve orders were sent');
  const touched = ticket(board, accepted);
  await touched.dispatchEvent('pointerdown');
  await touched.getByRole('button', { name: /^Accept/ }).dispatchEvent('click');
  await expect(touched).toContainText('This order has moved on: In the kitchen');
  expect(await places()).toEqual(before);
  await touched.dispatchEvent('pointerup');
  // A tap on a ticket that has just taken another one's place does nothing.
  const unread = board.evaluate<string>(`new Promise((done) => new MutationObserver((_, watch) => {
    const step = document.querySelector('[data-column="new"] [data-fresh] [data-step]');
    if (!step) return;
    watch.disconnect();
    step.click();
    done(step.closest('[data-ticket]').dataset.ticket);
  }).observe(document.body, { subtree: true, attributes: true, attributeFilter: ['data-fresh'] }))`);
  // Nor for a while after it, when another board takes an order too.
  await moveOrder(shop, taken, 'accept');
  await expect(ticket(board, taken)).toContainText('This order has moved on: In the kitchen');
  expect(await places()).toEqual(before);
  await expect(touched).not.toContainText('This order has moved on');
  await expect(board.getByText('Nothing was done: another order had just moved there.')).toBeVisible();
  expect((await readOrder(shop, { id: await unread })).status).toBe('placed');

  // With orders in every column, each one's next step is on the screen.
  await clear(shop);
  await expect(board.locator('[data-step]')).toHaveCount(0);
  const [fresh, cooking, ready] = await sendOrders(shop, 3);
  if (!fresh || !cooking || !ready) throw new Error('three orders were sent');
  await expectWhole(board, [fresh]);
  await moveOrder(shop, cooking, 'accept');
  await moveOrder(shop, ready, 'accept');
  await moveOrder(shop, ready, 'packed');
  for (const [order, name] of [
    [fresh, /^Accept/],
    [cooking, 'Packed'],
    [ready, 'Customer has it'],
  ] as const) {
    const step = ticket(board, order).getByRole('button', { name });
    await expect(step).toBeInViewport({ ratio: 1 });
    // A ticket that has just come there takes no tap yet.
    await expect.poll(() => isUncovered(step)).toBe(true);
  }
  for (const name of [/^New/, /^In the kitchen/, /^Ready and out/])
    await expect(board.getByRole('heading', { name })).toBeInViewport();
  // A full kitchen leaves the new orders their room, and no button's words are cut.
  for (const each of await sendOrders(shop, 4, 1)) await moveOrder(shop, each, 'accept');
  await expect(board.locator('[data-column="kitchen"] [data-ticket]')).toHaveCount(5);
  for (const viewport of [tablet, { width: 1366, height: 768 }, { width: 768, height: 1024 }]) {
    await board.setViewportSize(viewport);
    await expectWhole(board, [fresh]);
    const lane = await board.locator('[data-column="new"]').boundingBox();
    expect(lane?.width).toBeGreaterThanOrEqual(230);
    expect(await findLostText(board)).toEqual([]);
  }
  await board.setViewportSize(tablet);

  // A long list is cut until it is tapped, the allergy is always shown whole, and the buttons stay in reach.
  await clear(shop);
  await expect(board.locator('[data-step]')).toHaveCount(0);
  const allergy = 'Severe peanut and sesame allergy: please clean the board, the knife and the pan before you begin.';
  const nine = (await linesWithOption(shop, 9)).map((line) => ({ ...line, note: 'Not too hot, please' }));
  const order = await sendOrder(shop, { lines: nine, allergy_note: allergy });
  const shown = ticket(board, order);
  const accept = shown.getByRole('button', { name: /^Accept/ });
  const last = dish(shown, order.lines.length - 1);
  await expect(shown).toBeInViewport({ ratio: 1 });
  await expect(shown.getByText(allergy)).toBeInViewport({ ratio: 1 });
  await expect(dish(shown, 0)).toBeInViewport({ ratio: 1 });
  await expect(last).not.toBeInViewport();
  await expect(accept).toBeInViewport({ ratio: 1 });
  await expectAccessible(board);

  // Anywhere on the list, not only on the last line.
  await shown
    .getByRole('button', { name: `Show all ${order.lines.length} dishes` })
    .click({ position: { x: 40, y: 20 } });
  await last.scrollIntoViewIfNeeded();
  await expect(last).toBeInViewport({ ratio: 1 });
  await expect(accept).toBeInViewport({ ratio: 1 });
  expect(await isUncovered(accept)).toBe(true);
  await expectAccessible(board);
  await shown.getByRole('button', { name: 'Show less' }).press('Enter');
  await expect(last).not.toBeInViewport();

  // Words without a space and lines as they were typed, on a ticket and in its details.
  await clear(shop);
  await expect(board.locator('[data-step]')).toHaveCount(0);
  const endless = 'NOSESAMEPLEASE'.repeat(14);
  const typed = await sendOrder(shop, {
    lines: (await linesWithOption(shop, 1)).map((line) => ({ ...line, note: endless })),
    allergy_note: `${endless}${endless}`,
    note: `No nuts\nPeanut sauce on the side\n\n\n\n${endless}`,
    contact: { name: endless.slice(0, 80), phone: '07700 900123' },
  });
  // The alarm takes room, and lists are cut anew.
  await expect(board.getByRole('button', { name: 'Heard it' })).toBeVisible();
  for (const viewport of [phone, { width: 768, height: 1024 }, tablet, desktop]) {
    await board.setViewportSize(viewport);
    const fold = ticket(board, typed).getByRole('button', { name: /^Show the (whole )?dish/ });
    // The board measures what fits after the screen has changed.
    await expect
      .poll(async () => {
        if (await fold.isVisible()) await fold.click();
        return findLostText(board);
      })
      .toEqual([]);
    await tap(board, typed, `Details of order ${typed.number}`);
    const details = board.getByRole('dialog', { name: `Order ${typed.number}` });
    await expect(details).toContainText(endless);
    expect(await details.innerText()).toMatch(/No nuts\nPeanut sauce on the side\n\nNOSESAME/);
    await expect.poll(() => findLostText(board)).toEqual([]);
    await board.keyboard.press('Escape');
    await expect(details).toBeHidden();
  }
});

test('no order is rejected without a chosen reason, and notices never cover an order’s next step on a tablet or a phone', async ({
  shop,
  window,
}) => {
  await clear(shop);
  const [order] = await sendOrders(shop, 1);
  if (!order) throw new Error('one order was sent');
  const board = await openBoard(shop, await window({ viewport: tablet }), { path: '/kitchen' });
  const dialog = board.getByRole('dialog');
  const reject = dialog.getByRole('button', { name: 'Reject' });
  await tap(board, order, 'Reject');
  await expect(dialog.getByRole('radio').first()).toBeVisible();
  await expect(dialog.getByRole('radio', { checked: true })).toHaveCount(0);
  await reject.click();
  await expect(dialog.getByText('Choose a reason first.')).toBeVisible();
  await expectAccessible(board);
  await dialog.getByRole('button', { name: 'Keep the order' }).click();
  await expect(dialog).toBeHidden();

  // The same by keyboard.
  await ticket(board, order)
    .getByRole('button', { name: /^Accept/ })
    .focus();
  await board.keyboard.press('r');
  await expect(dialog.getByRole('radio').first()).toBeFocused();
  await board.keyboard.press('Enter');
  await expect(dialog.getByText('Choose a reason first.')).toBeVisible();
  await board.keyboard.press('ArrowDown');
  await expect(dialog.getByRole('radio', { name: 'Something is sold out' })).toBeChecked();
  await board.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect.poll(async () => (await readOrder(shop, order)).status).toBe('rejected');
  const { body } = await shop.api('GET', `/v1/orders/${order.id}`);
  expect(body['data']).toMatchObject({ reject_reason: 'item_unavailable' });

  await board.goto('/store/orders');
  const orders = await sendOrders(shop, 13, 1);
  await expect(board.locator('[data-step]')).toHaveCount(13);
  const notices = board.locator('[data-notices]').getByText('#');
  await expect(notices).toHaveCount(0);
  // Notices close after a time; here they stay until they were checked.
  await board.clock.install();
  await board.clock.pauseAt(Date.now() + 1000);
  const acceptOnScreen = async (accepted: Placed[]): Promise<void> => {
    for (const each of accepted) {
      await tap(board, each, /^Accept/);
      const notice = board.locator('[data-notices]').getByText(`#${each.number} `).first();
      await expect(notice).toBeInViewport({ ratio: 1 });
      await board.clock.runFor(250);
    }
  };
  const expectUncovered = async (open: Placed[]): Promise<void> => {
    for (const each of open) {
      const step = ticket(board, each).locator('[data-step]');
      // At every scroll position of the list, up to directly below the content above the tickets.
      for (const block of ['start', 'end'] as const) {
        await step.evaluate((element, at) => element.scrollIntoView({ block: at }), block);
        // A ticket that has just moved there takes no tap for a moment, which this clock stops.
        await expect
          .poll(async () => {
            if (await isUncovered(step)) return true;
            await board.clock.runFor(100);
            return false;
          })
          .toBe(true);
      }
    }
    expect(await notices.count()).toBeGreaterThan(1);
  };
  await acceptOnScreen(orders.slice(0, 4));
  // Three seconds after the last tap the accepted tickets move on.
  await board.clock.runFor(3600);
  await expectUncovered(orders);

  await board.setViewportSize(phone);
  await board.clock.runFor(1000);
  await acceptOnScreen(orders.slice(4, 8));
  // A phone shows only the new orders; the others are behind a tab.
  await expect(board.locator('[data-step]')).toHaveCount(5);
  await expectUncovered(orders.slice(8));
});

async function addStar(shop: Shop, name: string): Promise<StarPrinter> {
  const wanted = { store_id: shop.storeId, name, kind: 'star_cloudprnt', profile: 'star-mc-print', width_mm: 80 };
  const { body } = await shop.api('POST', '/v1/printers', wanted, shop.adminToken);
  const { poll_url: pollUrl, username, secret } = body['data'] as Record<'poll_url' | 'username' | 'secret', string>;
  return createStarPrinter({ pollUrl, username, secret, pollInterval: 1 });
}

test('printers that print nothing leave the board its tickets: low banners, with “Heard it” in reach', async ({
  shop,
  window,
}) => {
  await clear(shop);
  const printers = [await addStar(shop, 'Grill'), await addStar(shop, 'Pass and the long counter')];
  try {
    for (const printer of printers) {
      printer.runOutOfPaper();
      printer.start();
    }
    const [taken, ...fresh] = await sendOrders(shop, 5, 2);
    if (!taken) throw new Error('five orders were sent');
    await moveOrder(shop, taken, 'accept');
    const board = await openBoard(shop, await window({ viewport: tablet }), { path: '/kitchen' });
    await expect(board.locator('[data-unprinted="2"]')).toHaveCount(1);
    await expect(board.locator('[data-fault]')).toHaveCount(2);
    for (const viewport of [tablet, { width: 768, height: 1024 }, { width: 1366, height: 768 }, desktop, phone]) {
      await board.setViewportSize(viewport);
      const line = board.locator('[data-banners]');
      await expect.poll(async () => (await line.boundingBox())?.height).toBeLessThanOrEqual(72);
      await expect.poll(() => cutBanners(board)).toEqual([]);
      await expect(board.getByRole('button', { name: 'Heard it' })).toBeInViewport({ ratio: 1 });
      const first = fresh[0];
      if (!first) throw new Error('four orders wait');
      const accept = ticket(board, first).getByRole('button', { name: /^Accept/ });
      await expect(accept).toBeInViewport({ ratio: 1 });
      await expect.poll(() => isUncovered(accept)).toBe(true);
    }
    // Folded banners open over the tickets.
    await board.getByRole('button', { name: /^and \d more$/ }).click();
    await expect(board.getByText('Grill: The printer is out of paper.')).toBeInViewport();
    await expectAccessible(board, 'all banners');
    await board.getByRole('button', { name: 'Read them' }).click();
    const sheet = board.getByRole('dialog', { name: '2 receipts did not come out' });
    await expect(sheet.getByRole('button', { name: /I have read it/ })).toHaveCount(2);
  } finally {
    await Promise.all(printers.map((printer) => printer.stop()));
  }
});

test('a press that ends over another ticket, or after its own has moved, does nothing and says so; a touch screen has no button for keys', async ({
  shop,
  window,
}) => {
  await clear(shop);
  const [first, second] = await sendOrders(shop, 2, 1);
  if (!first || !second) throw new Error('two orders were sent');
  const touch = { viewport: { width: 1366, height: 768 }, hasTouch: true, isMobile: true };
  const board = await openBoard(shop, await window(touch), { path: '/kitchen' });
  const acceptOf = (order: Placed) => ticket(board, order).getByRole('button', { name: /^Accept/ });
  const refused = board.getByText('Nothing was done: another order had just moved there.');
  await expect(acceptOf(second)).toBeVisible();
  await expect(board.getByRole('button', { name: 'Show keys' })).toBeHidden();
  await acceptOf(first).dispatchEvent('pointerdown');
  await acceptOf(second).dispatchEvent('click', { detail: 1 });
  await expect(refused).toBeVisible();
  await acceptOf(first).dispatchEvent('pointerup');
  await expect(refused).toBeHidden();

  // The hand moves away by itself: that is no news. The ticket moves: it is.
  const lane = board.locator('[data-column="new"]');
  await acceptOf(first).dispatchEvent('pointerdown');
  await lane.dispatchEvent('click', { detail: 1 });
  await expect(refused).toBeHidden();
  await board.addStyleTag({ content: '[data-column="new"] { margin-top: 1rem }' });
  await lane.dispatchEvent('click', { detail: 1 });
  await expect(refused).toBeVisible();
  await acceptOf(first).dispatchEvent('pointerup');
  await tap(board, first, /^Accept/);
  await expect.poll(async () => (await readOrder(shop, first)).status).toBe('accepted');
  expect((await readOrder(shop, second)).status).toBe('placed');
});

test('a list that is cut shows every line of a note that has room', async ({ shop, window }) => {
  await clear(shop);
  const note = Array.from({ length: 40 }, (_, line) => `Line ${line + 1}`).join('\n');
  const order = await sendOrder(shop, { note });
  const board = await openBoard(shop, await window({ viewport: tablet }), { path: '/kitchen' });
  await expect(ticket(board, order).getByRole('button', { name: /note$/ })).toBeVisible();
  const freeLines = board.evaluate<number>(`(() => {
    const list = document.querySelector('[data-ticket="${order.id}"] [data-list]');
    const { fontSize, lineHeight } = getComputedStyle(list);
    const end = list.parentElement.querySelector('button > span').getBoundingClientRect().top;
    const words = 1.75 * parseFloat(fontSize);
    return (list.getBoundingClientRect().bottom - words - end) / parseFloat(lineHeight);
  })()`);
  expect(await freeLines).toBeLessThan(1.5);
  await expect(ticket(board, order)).toBeInViewport({ ratio: 1 });
});
