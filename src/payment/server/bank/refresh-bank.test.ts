import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { inTransaction } from '#database/transaction.ts';
import { isBankSweepDueSql } from '#payment/server/bank/sweep-bank.ts';
import { lockPayment } from '#payment/server/owed-calls.ts';
import { savePayoutWithEntries } from '#payment/server/bank/refresh-bank.ts';
import { insertEvents } from '#payment/server/events/event-rows.ts';
import { keySet, openBankBench, type BankBench } from '#payment/testing/bank-bench.ts';
import { dispute, entry, payout } from '#payment/testing/bank.ts';

let bench: BankBench;
beforeAll(async () => {
  bench = await openBankBench();
});
beforeEach(async () => {
  await bench.reset();
  Object.assign(bench.bank, { entries: [], payouts: [], disputes: [], fails: null, calls: [] });
  bench.bank.contents.clear();
  await bench.db.deleteFrom('payment_disputes').execute();
  await bench.db.deleteFrom('payment_bank_entries').execute();
  await bench.db.deleteFrom('payment_payouts').execute();
  await bench.db.updateTable('payment_key_sets').set({ bank_check_at: null, bank_read_at: null }).execute();
});
afterAll(() => bench.close());

const entries = () =>
  bench.db
    .selectFrom('payment_bank_entries')
    .select(['id', 'order_id', 'kind', 'fee', 'net', 'payout_id'])
    .orderBy('id')
    .execute();
/** A message of the provider, handled by the worker that stored it. */
async function event(type: string, object: string): Promise<void> {
  await insertEvents(bench.db, [
    {
      provider: 'stripe',
      keySet,
      receivedAt: bench.clock.now,
      event: {
        id: randomUUID(),
        type,
        object,
        reference: null,
        paymentId: null,
        account: null,
        mode: 'test',
        amount: null,
        currency: null,
        at: null,
      },
    },
  ]);
  await bench.payments.handleEvents();
}
const payouts = () => bench.db.selectFrom('payment_payouts').selectAll().orderBy('id').execute();

test('the statement is stored while orders on it are being changed', async () => {
  bench.bank.entries = [entry({ id: 'txn_9', intent: 'pi_9' })];
  const { id, paymentId } = await bench.sold('pi_9');
  await bench.db.deleteFrom('payment_bank_entries').execute();
  const changing = await bench.db.startTransaction().execute();
  await lockPayment(changing, { id: paymentId, order_id: id });
  await bench.sweepBank().finally(() => changing.rollback().execute());
  expect(await entries()).toMatchObject([{ id: 'txn_9', order_id: id }]);
});

describe('the fee of a payment', () => {
  test('is read after the capture, and again after a refund', async () => {
    bench.bank.entries = [entry({ id: 'txn_1', intent: 'pi_1' })];
    const { id } = await bench.sold('pi_1');
    expect(await entries()).toMatchObject([{ id: 'txn_1', order_id: id, kind: 'charge', fee: 39, net: 1211 }]);
    bench.bank.entries.push(entry({ id: 'txn_2', kind: 'refund', intent: 'pi_1', amount: -1250, fee: 0 }));
    await bench.move(id, 'cancel', { reason: 'No rice' });
    await bench.jobs.run();
    expect(await entries()).toMatchObject([
      { id: 'txn_1', order_id: id },
      { id: 'txn_2', order_id: id, kind: 'refund', fee: 0, net: -1250 },
    ]);
  });

  test('that is not on the statement yet is asked for again', async () => {
    const { id } = await bench.sold('pi_late');
    expect(await entries()).toEqual([]);
    bench.bank.entries = [entry({ id: 'txn_late', intent: 'pi_late' })];
    await bench.jobs.run();
    expect(await entries()).toMatchObject([{ id: 'txn_late', order_id: id }]);
  });

  test('and what a dispute takes and gives back is in the journal, once', async () => {
    const { id } = await bench.sold('pi_d');
    const taken = { kind: 'dispute', amount: -1250, fee: 2000, intent: 'pi_d' } as const;
    bench.bank.entries = [entry({ id: 'txn_1', intent: 'pi_d' }), entry({ id: 'txn_2', ...taken })];
    await bench.jobs.run();
    bench.bank.entries.push(entry({ id: 'txn_3', kind: 'dispute_won', amount: 1250, fee: 0, intent: 'pi_d' }));
    await bench.sweepBank();
    await bench.jobs.repeat();
    const moved = await bench.db
      .selectFrom('payment_movements')
      .select(['kind', 'amount', 'object'])
      .where('order_id', '=', id)
      .where('kind', 'in', ['disputed', 'dispute_won'])
      .orderBy('id')
      .execute();
    expect(moved).toEqual([
      { kind: 'disputed', amount: 1250, object: 'txn_2' },
      { kind: 'dispute_won', amount: 1250, object: 'txn_3' },
    ]);
  });

  test('is not asked for where the sandbox takes the payment', async () => {
    const { id } = await bench.placed();
    await bench.move(id, 'accept');
    await bench.jobs.run();
    expect(bench.bank.calls).toEqual([]);
  });
});

describe('a payout', () => {
  test('takes the entries in it along once the provider has them together', async () => {
    const { id } = await bench.sold('pi_2');
    bench.bank.entries = [
      entry({ id: 'txn_a', intent: 'pi_2' }),
      entry({ id: 'txn_b', kind: 'fee', amount: -100, fee: 0 }),
      entry({ id: 'txn_c', intent: 'pi_of_another_shop' }),
    ];
    bench.bank.payouts = [payout({ id: 'po_1', status: 'pending', hasEntries: false })];
    await event('payout.created', 'po_1');
    expect([await payouts(), await entries()]).toMatchObject([
      [{ id: 'po_1', status: 'pending', synced_at: null }],
      [],
    ]);
    bench.bank.payouts = [payout({ id: 'po_1', status: 'in_transit' })];
    bench.bank.contents.set('po_1', ['txn_a', 'txn_b', 'txn_c']);
    await event('payout.reconciliation_completed', 'po_1');
    expect(await entries()).toMatchObject([
      { id: 'txn_a', order_id: id, payout_id: 'po_1' },
      { id: 'txn_b', order_id: null, kind: 'fee', payout_id: 'po_1' },
      { id: 'txn_c', order_id: null, payout_id: 'po_1' },
    ]);
    bench.bank.payouts = [payout({ id: 'po_1' })];
    bench.bank.calls = [];
    await event('payout.paid', 'po_1');
    expect(await payouts()).toMatchObject([{ id: 'po_1', status: 'paid', synced_at: bench.clock.now }]);
    expect(bench.bank.calls).toEqual(['payout po_1']);
  });

  test('made by hand is listed, and the provider does not say what is in it', async () => {
    bench.bank.payouts = [payout({ id: 'po_hand', isAutomatic: false, hasEntries: false })];
    await event('payout.paid', 'po_hand');
    expect(await payouts()).toMatchObject([{ id: 'po_hand', is_automatic: false, synced_at: null }]);
    expect(bench.bank.calls).toEqual(['payout po_hand']);
  });

  test('that comes back says why, and an answer from before changes nothing', async () => {
    const context = bench.context;
    const follow = (change: Parameters<typeof payout>[0], seconds: number) =>
      savePayoutWithEntries(context, {
        bank: bench.bank,
        keySet,
        payout: payout({ hasEntries: false, ...change }),
        seenAt: new Date(bench.clock.now.getTime() + seconds * 1000),
      });
    await follow({ id: 'po_2', status: 'failed', failure: 'account_closed' }, 2);
    await follow({ id: 'po_2', status: 'paid' }, 1);
    expect(await payouts()).toMatchObject([{ id: 'po_2', status: 'failed', failure: 'account_closed' }]);
  });
});

describe('the daily reading', () => {
  const sweep = () => bench.sweepBank();

  test('finds all that no message told of, and changes nothing the second time', async () => {
    const { id } = await bench.sold('pi_3');
    bench.bank.entries = [
      entry({ id: 'txn_d', intent: 'pi_3', createdAt: bench.clock.now }),
      entry({ id: 'txn_e', kind: 'dispute', amount: -1250, fee: 2000, intent: 'pi_3', createdAt: bench.clock.now }),
    ];
    bench.bank.payouts = [payout({ id: 'po_3', createdAt: bench.clock.now })];
    bench.bank.contents.set('po_3', ['txn_d']);
    bench.bank.disputes = [dispute({ id: 'dp_3', intent: 'pi_3', createdAt: bench.clock.now })];
    await sweep();
    const found = async () => [
      await entries(),
      await payouts(),
      await bench.db.selectFrom('payment_disputes').selectAll().execute(),
    ];
    const first = await found();
    expect(first).toMatchObject([
      [
        { id: 'txn_d', order_id: id, payout_id: 'po_3' },
        { id: 'txn_e', order_id: id, kind: 'dispute', net: -3250, payout_id: null },
      ],
      [{ id: 'po_3', synced_at: bench.clock.now }],
      [{ id: 'dp_3', order_id: id, status: 'needs_response' }],
    ]);
    await sweep();
    expect(await found()).toEqual(first);
    bench.wait(25 * 3600);
    await sweep();
    const later = await found();
    const timeless = (rows: unknown) => JSON.stringify(rows, (key, value: unknown) => (key === 'seen_at' ? '' : value));
    expect(timeless(later)).toBe(timeless(first));
  });

  test('is due once a day, and an hour after one that failed', async () => {
    const isDue = async () => {
      const { rows } = await inTransaction(bench.db, (tx) =>
        tx
          .selectNoFrom(isBankSweepDueSql(bench.clock.now).as('is_due'))
          .execute()
          .then((rows) => ({ rows })),
      );
      return rows[0]?.is_due;
    };
    expect(await isDue()).toBe(true);
    bench.bank.fails = new Error('the network is down');
    await sweep();
    expect(await isDue()).toBe(false);
    bench.wait(3600);
    expect(await isDue()).toBe(true);
    bench.bank.fails = null;
    await sweep();
    bench.wait(23 * 3600);
    expect(await isDue()).toBe(false);
    bench.wait(3600);
    expect(await isDue()).toBe(true);
  });

  test('asks again for what may still change, whenever that began', async () => {
    const { id } = await bench.sold('pi_4');
    const old = new Date(bench.clock.now.getTime() - 40 * 24 * 3_600_000);
    bench.bank.disputes = [dispute({ id: 'dp_4', intent: 'pi_4', createdAt: old })];
    bench.bank.payouts = [payout({ id: 'po_4', status: 'in_transit', createdAt: old })];
    await event('charge.dispute.created', 'dp_4');
    await event('payout.created', 'po_4');
    bench.bank.disputes = [dispute({ id: 'dp_4', intent: 'pi_4', createdAt: old, status: 'won' })];
    bench.bank.payouts = [payout({ id: 'po_4', status: 'paid', createdAt: old })];
    await sweep();
    expect(await payouts()).toMatchObject([{ id: 'po_4', status: 'paid' }]);
    expect(await bench.db.selectFrom('payment_disputes').selectAll().execute()).toMatchObject([
      { id: 'dp_4', order_id: id, status: 'won', closed_at: bench.clock.now },
    ]);
  });

  test('leaves keys alone that have ended', async () => {
    await bench.db.updateTable('payment_key_sets').set({ ended_at: bench.clock.now }).execute();
    await sweep();
    expect(bench.bank.calls).toEqual([]);
    await bench.db.updateTable('payment_key_sets').set({ ended_at: null }).execute();
  });
});
