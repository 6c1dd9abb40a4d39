import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ProviderDispute } from '#payment/server/bank-source.ts';
import { fetchAndSaveDispute } from '#payment/server/bank/refresh-bank.ts';
import { keySet, openBankBench, type BankBench } from '#payment/testing/bank-bench.ts';
import { dispute, entry } from '#payment/testing/bank.ts';

let bench: BankBench;
const alerts: Record<string, string>[] = [];
beforeAll(async () => {
  bench = await openBankBench();
  await bench.jobs.work('alert', async (alert: Record<string, string>) => void alerts.push(alert));
});
beforeEach(async () => {
  await bench.reset();
  alerts.length = 0;
});
afterAll(() => bench.close());

/** The provider's answer about it `minutes` after the evening began. */
async function follow(change: Partial<ProviderDispute> & Pick<ProviderDispute, 'id'>, minutes = 0): Promise<void> {
  const seenAt = new Date(bench.clock.now.getTime() + minutes * 60_000);
  await fetchAndSaveDispute(bench.context, {
    keySet,
    dispute: dispute({ createdAt: bench.clock.now, ...change }),
    seenAt,
  });
  await bench.jobs.run();
}
const stored = (id: string) =>
  bench.db.selectFrom('payment_disputes').selectAll().where('id', '=', id).executeTakeFirst();
const notesOf = async (orderId: string) => {
  const rows = await bench.db
    .selectFrom('order_history')
    .select('note')
    .where('order_id', '=', orderId)
    .where('note', 'is not', null)
    .orderBy('version')
    .execute();
  return rows.map(({ note }) => note?.kind);
};
const subjects = () => alerts.map(({ subject }) => subject);

test('a new dispute is stored with its order, noted there, and the owner is told once by when to answer', async () => {
  const { id, paymentId } = await bench.sold('pi_1');
  const { number } = await bench.order(id);
  await follow({ id: 'dp_1', intent: 'pi_1' });
  await follow({ id: 'dp_1', intent: 'pi_1' }, 1);
  expect(await stored('dp_1')).toMatchObject({
    payment_id: paymentId,
    order_id: id,
    store_id: bench.storeId,
    amount: 1250,
    status: 'needs_response',
    closed_at: null,
  });
  expect(await notesOf(id)).toEqual(['disputed']);
  expect(alerts).toMatchObject([
    { kind: 'dispute', store_id: bench.storeId, subject: `The payment of order ${number} is disputed` },
  ]);
  expect(alerts[0]?.['text']).toBe(
    'The payer told their bank that £12.50 should not have been charged. The bank has taken the money back until the case is decided.\n' +
      'Reason: The payer says they did not make this payment.\n' +
      'Answer by 5 December 2026, 23:59. If you do not answer, the payer keeps the money.\n\n' +
      `Open payments:\n${bench.services.config.publicUrl}/admin/payments?show=disputes`,
  );
});

test('what it took, and its fee, are read from the statement at once, and again when it is won', async () => {
  const { paymentId } = await bench.sold('pi_money');
  const of = { intent: 'pi_money', paymentId };
  const stored = async () =>
    (await bench.db.selectFrom('payment_bank_entries').select('id').where('payment_id', '=', paymentId).execute())
      .map(({ id }) => id)
      .toSorted();
  bench.bank.entries.push(
    entry({ id: 'txn_charge', ...of }),
    entry({ id: 'txn_dispute', kind: 'dispute', amount: -1250, fee: 2000, ...of }),
  );
  await follow({ id: 'dp_money', intent: 'pi_money' });
  expect(await stored()).toEqual(['txn_charge', 'txn_dispute']);
  bench.bank.entries.push(entry({ id: 'txn_won', kind: 'dispute', amount: 1250, fee: 0, ...of }));
  await follow({ id: 'dp_money', intent: 'pi_money', status: 'won' }, 1);
  expect(await stored()).toEqual(['txn_charge', 'txn_dispute', 'txn_won']);
});

test('its stages are noted and told: a question, a dispute, lost, appealed, won', async () => {
  const { id } = await bench.sold('pi_2');
  const { number } = await bench.order(id);
  const statuses = [
    'inquiry_needs_response',
    'inquiry_under_review',
    'needs_response',
    'under_review',
    'lost',
  ] as const;
  for (const [index, status] of [...statuses, 'needs_response' as const, 'won' as const].entries()) {
    await follow({ id: 'dp_2', intent: 'pi_2', status }, index);
  }
  expect(await notesOf(id)).toEqual(['inquiry', 'disputed', 'dispute_lost', 'disputed', 'dispute_won']);
  expect(subjects()).toEqual([
    `The card's bank asks about order ${number}`,
    `The payment of order ${number} is disputed`,
    `The dispute about order ${number} was lost`,
    `The payment of order ${number} is disputed`,
    `The dispute about order ${number} was won`,
  ]);
  expect(await stored('dp_2')).toMatchObject({ status: 'won', closed_at: bench.clock.now });
});

test('an answer of the provider that arrives after a later one changes nothing', async () => {
  const { id } = await bench.sold('pi_3');
  await follow({ id: 'dp_3', intent: 'pi_3', status: 'won' }, 2);
  await follow({ id: 'dp_3', intent: 'pi_3', status: 'needs_response' }, 1);
  expect(await stored('dp_3')).toMatchObject({ status: 'won' });
  expect(await notesOf(id)).toEqual(['dispute_won']);
});

test('one about a payment of another shop on the same account is left out', async () => {
  await follow({ id: 'dp_4', intent: 'pi_of_another_shop' });
  await follow({ id: 'dp_5' });
  expect([await stored('dp_4'), await stored('dp_5')]).toEqual([undefined, undefined]);
  expect(alerts).toEqual([]);
});

test('one that comes before the shop knows the intent finds the payment by our own id', async () => {
  const { id, paymentId } = await bench.sold('pi_6');
  await bench.db.updateTable('payments').set({ intent: null }).where('id', '=', paymentId).execute();
  await follow({ id: 'dp_6', intent: 'pi_6', paymentId });
  expect(await stored('dp_6')).toMatchObject({ order_id: id });
  const other = await bench.sold('pi_7');
  await follow({ id: 'dp_7', intent: 'pi_8', paymentId: other.paymentId });
  expect(await stored('dp_7')).toBeUndefined();
});

describe('the reminder', () => {
  const remind = async () => {
    await bench.sweepBank();
    await bench.jobs.run();
  };
  const dueIn = (days: number) => new Date(bench.clock.now.getTime() + days * 24 * 3_600_000);

  test('comes once, two days before the deadline', async () => {
    const { id } = await bench.sold('pi_r1');
    const { number } = await bench.order(id);
    const respondBy = dueIn(7);
    await follow({ id: 'dp_r1', intent: 'pi_r1', respondBy });
    alerts.length = 0;
    bench.wait(5 * 24 * 3600 - 1);
    await remind();
    expect(alerts).toEqual([]);
    bench.wait(1);
    await remind();
    await follow({ id: 'dp_r1', intent: 'pi_r1', respondBy }, 1);
    await remind();
    expect(subjects()).toEqual([`Answer the dispute about order ${number} by 28 November 2026, 18:00`]);
  });

  test('is not sent for what was answered', async () => {
    await bench.sold('pi_r2');
    const respondBy = dueIn(7);
    await follow({ id: 'dp_r2', intent: 'pi_r2', respondBy });
    await follow({ id: 'dp_r2', intent: 'pi_r2', respondBy, status: 'under_review' }, 1);
    alerts.length = 0;
    bench.wait(6 * 24 * 3600);
    await remind();
    expect(alerts).toEqual([]);
  });

  test('follows a deadline that the bank moves', async () => {
    await bench.sold('pi_r3');
    await follow({ id: 'dp_r3', intent: 'pi_r3', respondBy: dueIn(7) });
    await follow({ id: 'dp_r3', intent: 'pi_r3', respondBy: dueIn(9) }, 1);
    expect(await stored('dp_r3')).toMatchObject({ remind_at: dueIn(7) });
  });
});
