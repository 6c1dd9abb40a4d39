import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { inTransaction } from '#database/transaction.ts';
import { removeOrderLines } from '#ordering/server/remove-order-lines.ts';
import { markPaid } from '#payment/server/mark-paid.ts';
import { refundOrder } from '#payment/server/refund-order.ts';
import { openCardBench, type CardBench } from '#payment/testing/card-bench.ts';
import { AppError } from '#platform/errors.ts';

let bench: CardBench;
beforeAll(async () => {
  bench = await openCardBench();
});
beforeEach(() => bench.reset());
afterAll(() => bench.close());

const pizza = randomUUIDv7();
/** Two pizzas at £5 and a tip of £2.50. */
const meal = {
  lines: [
    {
      id: pizza,
      item_id: pizza,
      name: 'Pizza',
      kitchen_name: null,
      quantity: 2,
      unit_price: 500,
      options: [],
      note: '',
      vat_rate: 2000,
      allergens: null,
      total: 1000,
    },
  ],
  subtotal: 1000,
  tip: 250,
  total: 1250,
  vat: [{ rate: 2000, net: 833, vat: 167 }],
};
const cancel = (id: string) => bench.move(id, 'cancel', { reason: 'No more rice' });
const staff = { actor: 'Olive', actorId: null };

/** How an order gets into each state, without the jobs that it then owes. */
async function begun() {
  const id = await bench.newOrder(meal);
  return { id, reference: bench.referenceOf(await bench.payments.begin(id)) };
}
async function paid(state: 'authorised' | 'declined') {
  const { id, reference } = await begun();
  bench.provider.payer(reference, state);
  await bench.payments.reconcile(id);
  return id;
}
async function accepted() {
  const id = await paid('authorised');
  await bench.move(id, 'accept');
  return id;
}
async function captured() {
  const id = await accepted();
  await bench.jobs.run();
  return id;
}
const states: Record<string, () => Promise<string>> = {
  async 'pending, without a page'() {
    const id = await bench.newOrder(meal);
    bench.provider.moods.push('lost');
    await bench.payments.begin(id).catch(() => undefined);
    return id;
  },
  pending: async () => (await begun()).id,
  'failed, the order waits': () => paid('declined'),
  authorised: () => paid('authorised'),
  'authorised, owes capture': accepted,
  captured,
  async voided() {
    const id = await paid('authorised');
    await bench.move(id, 'reject', { rejectReason: 'too_busy' });
    await bench.jobs.run();
    return id;
  },
  async refunded() {
    const id = await captured();
    await cancel(id);
    await bench.jobs.run();
    return id;
  },
  async 'failed, capture given up'() {
    const id = await accepted();
    bench.provider.moods.push('fine', 'refused');
    await bench.jobs.run();
    return id;
  },
  async 'pending, capture given up before'() {
    const id = await accepted();
    bench.provider.moods.push('fine', 'refused');
    await bench.jobs.run();
    await bench.payments.payAgain(id, 'card');
    return id;
  },
};

const events: Record<string, (id: string) => Promise<unknown>> = {
  'staff accept': (id) => bench.move(id, 'accept'),
  'the order ends': cancel,
  'the customer pays again': (id) => bench.payments.payAgain(id, 'card'),
  'the customer pays in cash': (id) => bench.payments.payAgain(id, 'cash'),
  'a dish is taken off': (id) =>
    inTransaction(bench.db, (tx) =>
      removeOrderLines(tx, bench.services, {
        orderId: id,
        lines: [{ line_id: pizza, quantity: 1 }],
        reason: 'sold_out',
        role: 'store_admin',
        by: staff,
        now: bench.clock.now,
      }),
    ),
  '£1 is refunded': (id) =>
    inTransaction(bench.db, (tx) =>
      refundOrder(tx, bench.services, {
        orderId: id,
        key: randomUUID(),
        wanted: { amount: 100 },
        reason: 'Late',
        ...staff,
      }),
    ),
  'noted as paid in cash': (id) =>
    inTransaction(bench.db, (tx) =>
      markPaid(tx, bench.services, { orderId: id, method: 'cash', viewer: { id: null, name: 'Olive' } }),
    ),
};

interface Money {
  payments: string[];
  refunds: number;
  order: string;
}

async function moneyOf(orderId: string): Promise<Money> {
  const payments = await bench.db
    .selectFrom('payments')
    .select(['status', 'owed', 'reference'])
    .where('order_id', '=', orderId)
    .orderBy('id')
    .execute();
  const refunds = await bench.db.selectFrom('refunds').select('id').where('order_id', '=', orderId).execute();
  const { total, payment_method, payment_status } = await bench.order(orderId);
  return {
    payments: payments.map(
      ({ status, owed, reference }) =>
        `${status}${owed ? `, owes ${owed}` : ''}${status === 'pending' && reference === null ? ', without a page' : ''}`,
    ),
    refunds: refunds.length,
    order: [total, payment_method, payment_status].join(),
  };
}

/** What an event changed, in the words of the table. */
function wordsOf(before: Money, after: Money): string {
  const words = after.payments.flatMap((payment, at) => {
    if (at >= before.payments.length) return ['a new page'];
    return payment === before.payments[at] ? [] : [payment];
  });
  if (after.refunds > before.refunds) words.push('a refund');
  if (words.length === 0 && after.order !== before.order) words.push('the order only');
  return words.join(', ') || '–';
}

async function cellOf(state: string, event: string): Promise<string> {
  const id = (await states[state]?.()) ?? '';
  const before = await moneyOf(id);
  try {
    await events[event]?.(id);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const isKept = JSON.stringify(await moneyOf(id)) === JSON.stringify(before);
    return `\`${error.code}\`${isKept ? '' : ', and something changed'}`;
  } finally {
    // The jobs of this order must not run beside the next one's.
    await sql`truncate test_jobs`.execute(bench.db);
  }
  return wordsOf(before, await moneyOf(id));
}

test('the table of states and of what happens in the shop is what the code does', async () => {
  const lines: string[] = [];
  for (const state of Object.keys(states)) {
    const cells: string[] = [];
    for (const event of Object.keys(events)) {
      await bench.reset();
      cells.push(await cellOf(state, event));
    }
    lines.push(`| ${[state, ...cells].join(' | ')} |`);
  }
  const header = `| the payment is | ${Object.keys(events).join(' | ')} |`;
  const table = [header, header.replaceAll(/[^|]+/g, '---'), ...lines].join('\n');
  const text = readFileSync(join(import.meta.dirname, 'shop-events.md'), 'utf8');
  const [written = ''] = text.slice(text.indexOf('| the payment is |')).split('\n\n');
  expect(written.trim()).toBe(table);
});
