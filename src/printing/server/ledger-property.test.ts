import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endWell, faultsOf, happen, happenings, openModelShop } from '#printing/testing/ledger-model.ts';
import { slowDraws } from '#testing/draws.ts';
import { openPrintBench, type PrintBench, type PrintInstance } from '#printing/testing/print-bench.ts';

let bench: PrintBench;
let instances: PrintInstance[];
beforeAll(async () => {
  bench = await openPrintBench();
  instances = [bench.first, await bench.openInstance()];
});
afterAll(() => bench.close());

const runs = Number(process.env['LEDGER_RUNS'] ?? slowDraws);

test('whatever happens to printers that answer and to two instances, nothing is lost, and no duplicate is unmarked', async () => {
  let papers = 0;
  await fc.assert(
    fc.asyncProperty(happenings, async (all) => {
      const shop = await openModelShop(bench, instances);
      for (const what of all) await happen(shop, what);
      await endWell(shop);
      papers += shop.papers.length;
      expect(faultsOf(shop, await bench.prints())).toEqual([]);
    }),
    { numRuns: runs, endOnFailure: false },
  );
  // By chance most of the runs may print nothing.
  expect(papers).toBeGreaterThan(runs / 6);
}, 600_000);

test.each([
  ['lost', [], [{ status: 'printed', unsure: 0 }]],
  ['an unmarked duplicate', [{ isMarked: false }, { isMarked: false }], [{ status: 'printed', unsure: 1 }]],
  ['called printed without a paper', [{ printId: 'b' }], [{ status: 'printed' }, { id: 'b', moved_from_id: 'a' }]],
  ['a mark told wrong', [{}], [{ status: 'printed', is_marked: true }]],
  ['left queued', [{}], [{ status: 'queued', ended_at: null, unsure: 1 }]],
  ['a paper of which the ledger says failed', [{}], [{ status: 'failed' }]],
  ['asked for twice', [{}], [{ status: 'printed' }, { id: 'b', status: 'expired' }]],
])('the test finds what is %s', (fault, papers, rows) => {
  const shop = {
    orders: ['o'],
    papers: papers.map((paper) => ({ printId: 'a', orderId: 'o', isMarked: false, ...paper })),
  };
  const ended = {
    id: 'a',
    order_id: 'o',
    ended_at: new Date(),
    moved_from_id: null,
    unsure: 0,
    status: 'failed',
    is_marked: false,
  };
  const ledger = rows.map((row) => ({ ...ended, ...row })) as unknown as Parameters<typeof faultsOf>[1];
  expect(faultsOf(shop, ledger).some((found) => found.startsWith(fault))).toBe(true);
});
