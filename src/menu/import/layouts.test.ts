import { expect, test } from 'vitest';
import type { ExpectedDish } from '#menu/testing/layouts/draw-menu.ts';
import { addScores, menuLayouts, scoreLayout } from '#menu/testing/layouts/menu-layouts.ts';
import type { LayoutScore, MenuLayout } from '#menu/testing/layouts/menu-layouts.ts';
import { parseMenuFile } from '#menu/web/import/read-menu.ts';

/** The least shares of dishes, sure prices and marked doubts, and the most invented dishes for each real one. */
const leastShares = { dishes: 1, prices: 1, doubtful: 1, invented: 0 };

const share = (part: number, whole: number) => (whole === 0 ? 1 : part / whole);

async function score({ bytes, fileName, expected }: MenuLayout): Promise<LayoutScore> {
  const { dishes } = await parseMenuFile(new Uint8Array(bytes), fileName);
  const read = dishes.map(({ name, category, price, sizes, doubts }): ExpectedDish => ({
    name,
    category,
    price,
    sizes: sizes.flatMap((size) => (size.price === null ? [] : [{ name: size.name, price: size.price }])),
    isDoubtful: doubts.includes('price'),
  }));
  return scoreLayout(expected, read);
}

function line(name: string, score: LayoutScore): string {
  const { dishes, right, prices, pricesRight, doubtful, doubtfulMarked, ...rest } = score;
  const figures = `dishes ${right}/${dishes}, prices ${pricesRight}/${prices}, doubtful ${doubtfulMarked}/${doubtful}`;
  const others = `categories ${rest.categoriesRight}, needlessly marked ${rest.needlesslyMarked}, invented ${rest.invented}`;
  return `${name}: ${figures}, ${others}`;
}

test('most dishes and prices of thirty old menus, in the forms that owners bring, are read', async () => {
  const scores: LayoutScore[] = [];
  const report: string[] = [];
  for (const layout of await menuLayouts(1)) {
    const one = await score(layout).catch((error: unknown) => {
      report.push(`${layout.name}: ${String(error)}`);
      return scoreLayout(layout.expected, []);
    });
    scores.push(one);
    report.push(line(layout.name, one), ...one.misses.map((miss) => `  ${miss}`));
  }
  const all = addScores(scores);
  report.push(line('all', all));
  const text = report.join('\n');
  expect(share(all.right, all.dishes), text).toBeGreaterThanOrEqual(leastShares.dishes);
  expect(share(all.pricesRight, all.prices), text).toBeGreaterThanOrEqual(leastShares.prices);
  expect(share(all.doubtfulMarked, all.doubtful), text).toBeGreaterThanOrEqual(leastShares.doubtful);
  expect(share(all.invented, all.dishes), text).toBeLessThanOrEqual(leastShares.invented);
});
