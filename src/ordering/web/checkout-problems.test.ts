import { expect, test } from 'vitest';
import type { Problem } from '#ordering/basket.ts';
import { problemsAtFields } from '#ordering/web/checkout-problems.ts';

const problem = (path: string): Problem => ({ path, code: 'shop_closed', message: path });
const all = ['lines.0', 'lines.1.options', 'requested_for', 'tip'].map(problem);

test.each([
  ['a chosen time that is gone has its error', false, ['requested_for', 'tip']],
  ['as soon as possible, of which the shop has said no meanwhile, is asked about by the shop', true, ['tip']],
])('%s, and lines have questions of their own', (_, isSoonWanted, paths) => {
  expect(problemsAtFields(all, isSoonWanted).map(({ path }) => path)).toEqual(paths);
});
