import type { Page } from '@playwright/test';
import type { Shop } from '#testing/running-shop.ts';
import { expectAccessible } from './accessible.ts';
import { openBoard } from './board.ts';
import { linesWithOption, moveOrder, plainDishes, readOrder, sendOrder } from './orders.ts';
import { expect, test } from './shop.ts';

type Stage = 'placed' | 'accepted' | 'packed';
type Mix = Readonly<Record<Stage, number>>;

const names = ['Ada Byron', 'Oluwaseun Adeyemi', 'Bartholomew Featherstonehaugh', 'Li Na', 'Priya Raghunathan'];

/** One order of each stage and way: four dishes, one with a choice and one with a note. */
async function sendSamples(shop: Shop): Promise<Record<Stage, object[]>> {
  const [chosen] = await linesWithOption(shop, 1);
  const plain = (await plainDishes(shop)).slice(0, 3);
  const lines = [
    chosen,
    ...plain.map((id, at) => ({ item_id: id, quantity: 1, ...(at === 1 && { note: 'No onions' }) })),
  ];
  const address = { line1: '1 Example Street', city: 'Rugby', postcode: 'CV23 9AA' };
  const samples: Record<Stage, object[]> = { placed: [], accepted: [], packed: [] };
  for (const stage of ['placed', 'accepted', 'packed'] as const) {
    for (const way of [{}, { fulfilment_type: 'delivery', address }]) {
      const order = await sendOrder(shop, { lines, ...way });
      if (stage !== 'placed') await moveOrder(shop, order, 'accept', { minutes: 90 });
      if (stage === 'packed') await moveOrder(shop, order, 'packed');
      samples[stage].push(await readOrder(shop, order));
    }
  }
  return samples;
}

/** As many open orders of each stage as wanted, made from the samples; the board gets them as the shop's answer. */
function ordersOf(samples: Record<Stage, object[]>, mix: Mix): object[] {
  let number = 100;
  return (['placed', 'accepted', 'packed'] as const).flatMap((stage) =>
    Array.from({ length: mix[stage] }, (_, at) => {
      const sample = samples[stage][at % 2] as { contact: object };
      const [{ placed_at, answer_by }] = samples[stage] as [{ placed_at: string; answer_by: string | null }];
      const times = { placed_at, answer_by };
      number += 1;
      const contact = { ...sample.contact, name: names[at % names.length] };
      return { ...sample, ...times, id: `00000000-0000-7000-8000-000000000${number}`, number: String(number), contact };
    }),
  );
}

/** How many tickets are whole: on the screen with every dish, the name, the postcode and the buttons. Ready lines count where all are ready. */
const wholeTickets = (board: Page): Promise<number> =>
  board.evaluate(`(() => {
    const isSeen = (part) => {
      const { left, top, right, bottom, width, height } = part.getBoundingClientRect();
      if (width < 1 || height < 1) return false;
      return [[left + 2, top + 2], [right - 2, top + 2], [left + 2, bottom - 2], [right - 2, bottom - 2]].every(([x, y]) => {
        const hit = document.elementFromPoint(x, y);
        return hit !== null && (part.contains(hit) || hit.contains(part) || hit.closest('[data-ticket]') === part.closest('[data-ticket]'));
      });
    };
    const all = [...document.querySelectorAll('[data-column] > [data-ticket]')];
    const tickets = all.filter((each) => each.querySelector('[data-list]'));
    const isWhole = (each) => isSeen(each) && !each.querySelector('[data-list] ~ button') &&
      [...each.querySelectorAll('button')].every(isSeen);
    return (tickets.length > 0 ? tickets : all).filter(isWhole).length;
  })()`);

/** The dishes on the screen whose name touches its quantity. */
const touchingDishes = (board: Page): Promise<string[]> =>
  board.evaluate(`(() => {
    const words = (part) => {
      const range = document.createRange();
      range.selectNodeContents(document.createTreeWalker(part, NodeFilter.SHOW_TEXT).nextNode());
      return range.getBoundingClientRect();
    };
    const dishes = [...document.querySelectorAll('[data-list] > div > ul > li')];
    return dishes.slice(0, 40).flatMap((dish) => {
      const [quantity, name] = [...dish.children].filter(({ localName }) => localName !== 'button');
      const gap = words(name).left - words(quantity).right;
      return gap < 2 ? [dish.textContent] : [];
    });
  })()`);

/** Beside 99 orders fewer suffice: a screen shows no more. */
const mixes: Record<string, Mix> = {
  'a third each': { placed: 33, accepted: 33, packed: 33 },
  '1 : 10': { placed: 4, accepted: 40, packed: 0 },
  'all new': { placed: 44, accepted: 0, packed: 0 },
  'all in the kitchen': { placed: 0, accepted: 44, packed: 0 },
  'all ready': { placed: 0, accepted: 0, packed: 44 },
};
const screens = {
  390: { width: 390, height: 844 },
  768: { width: 768, height: 1024 },
  1024: { width: 1024, height: 768 },
  1366: { width: 1366, height: 768 },
  1920: { width: 1920, height: 1080 },
};
type Goals = Partial<Record<keyof typeof screens, number>>;

/** How many tickets are at least whole: with a third of the orders in each stage, and in any mix. */
const goals: Record<string, { thirds: Goals; any: Goals }> = {
  Small: { thirds: { 390: 2, 768: 4, 1366: 12 }, any: { 1024: 8, 1920: 16 } },
  Large: { thirds: { 390: 1, 768: 1, 1366: 8 }, any: { 1024: 5, 1920: 10 } },
};

test('of dozens of orders a board shows whole tickets in its tablet’s text size, and ready ones in a line each', async ({
  shop,
  window,
}) => {
  const samples = await sendSamples(shop);
  const board = await window({ viewport: screens[1024] });
  let open: object[] = [];
  await board.route('**/v1/orders?*', (route) => {
    const data = route.request().url().includes('placed') ? open : [];
    const meta = { current_page: 1, last_page: 1, per_page: 200, total: data.length };
    return route.fulfill({ json: { data, meta } });
  });
  await board.addInitScript(
    `addEventListener('transitionrun', () => { document.documentElement.dataset.moving = ''; })`,
  );
  await openBoard(shop, board, { path: '/kitchen' });
  for (const [mix, counts] of Object.entries(mixes)) {
    open = ordersOf(samples, counts);
    await board.goto('/kitchen');
    await expect(board.locator('[data-ticket]')).toHaveCount(open.length);
    for (const [size, { thirds, any }] of Object.entries(goals)) {
      await board.getByRole('button', { name: 'This screen' }).click();
      await board.getByRole('dialog', { name: 'This screen' }).getByText(size, { exact: true }).click();
      if (mix === 'a third each') await expectAccessible(board, `the settings of a screen, ${size}`);
      await board.keyboard.press('Escape');
      // A hundred tickets are alike.
      if (mix === 'a third each') await expectAccessible(board, size, undefined, '[data-ticket]:first-child');
      for (const [width, least] of Object.entries({ ...any, ...(mix === 'a third each' && thirds) })) {
        await board.setViewportSize(screens[Number(width) as keyof typeof screens]);
        await expect.poll(() => wholeTickets(board), `${size}, ${mix}, ${width}`).toBeGreaterThanOrEqual(least);
        expect(await touchingDishes(board), `${size}, ${mix}, ${width}`).toEqual([]);
        const banners = async () => (await board.locator('[data-banners]').boundingBox())?.height ?? 0;
        await expect.poll(banners).toBeLessThanOrEqual(72);
      }
      await board.setViewportSize(screens[1024]);
    }
    // With reduced motion a new size starts no transition; one of all elements would take seconds.
    await expect(board.locator('html')).not.toHaveAttribute('data-moving');
  }
});
