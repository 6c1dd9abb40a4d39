import { openLine } from '#testing/line.ts';
import { openBoard, tap, ticket } from './board.ts';
import { readOrder, sendOrder } from './orders.ts';
import { hire } from './people.ts';
import { expect as expectAtOnce, test } from './shop.ts';
import { expectAccessible } from './accessible.ts';

// A busy machine is slow; nothing here is measured.
test.setTimeout(400_000);
const expect = expectAtOnce.configure({ timeout: 60_000 });

test('if a connection dies silently, the board says so and reports nothing as done, and others see that it is off', async ({
  shop,
  window,
}) => {
  const line = await openLine(Number(new URL(shop.url).port));
  try {
    const steady = await openBoard(shop, await window());
    const colleague = await hire(shop, 'Nadiya Hussain');
    const board = await openBoard(shop, await window({ baseURL: `http://127.0.0.1:${line.port}` }), {
      path: '/kitchen',
      person: colleague,
    });
    const order = await sendOrder(shop);
    await expect(ticket(board, order)).toBeVisible();
    await expect(steady.getByText('2 boards on')).toBeVisible();

    line.die();
    await expect(board.locator('[data-line="late"]')).toContainText(/last update (8|9|1[0-4]) s ago/);
    await expectAccessible(board, 'a late line');
    await tap(board, order, /^Accept/);
    await expect(board.getByText(`#${order.number}: “Accept” is not sent yet.`)).toBeVisible();
    await expect(ticket(board, order)).toContainText('Not sent yet');
    await expect(board.locator('[data-line="dead"]')).toContainText(/last update \d+ s ago/);
    await expect(board.getByText('No connection. The orders shown may be out of date.')).toBeVisible();
    await expect(board.getByText(`#${order.number} accepted`)).toBeHidden();
    await expectAccessible(board, 'a dead line');
    await expect(steady.getByText('2 boards on')).toBeHidden();
    expect((await readOrder(shop, order)).status).toBe('placed');

    line.recover();
    // The browser gives up its requests over dead connections one by one.
    await expect(board.getByText('Not sent yet')).toHaveCount(0, { timeout: 120_000 });
    await expect(board.locator('[data-line="live"]')).toBeVisible({ timeout: 120_000 });
    await expect(steady.getByText('2 boards on')).toBeVisible();
    const { status, history } = await readOrder(shop, order);
    expect(status).toBe('accepted');
    expect(history.filter(({ to }) => to === 'accepted')).toHaveLength(1);
  } finally {
    await line.close();
  }
});
