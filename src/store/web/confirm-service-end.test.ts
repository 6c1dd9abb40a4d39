import { expect, test } from 'vitest';
import { openOrderWords } from '#store/web/confirm-service-end.ts';

const open: Record<string, number> = { empty: 0, busy: 3, quiet: 1 };
const countOpen = (id: string): Promise<number> =>
  id in open ? Promise.resolve(open[id] ?? 0) : Promise.reject(new Error('no connection'));

test.each([
  [['empty'], ''],
  [['quiet'], '1 order is open, and stays open.'],
  [['busy', 'empty', 'quiet'], '4 orders are open, and stay open.'],
  [['unreachable'], ''],
])('a question about %j says how many orders stay open', async (ids, words) => {
  expect(await openOrderWords(countOpen, ids)).toBe(words);
});
