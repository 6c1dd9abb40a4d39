import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { inTransaction } from '#database/transaction.ts';
import type { OrderServices } from '#ordering/server/services.ts';
import { loadOrders, presentGuestOrder } from '#ordering/server/present-order.ts';
import { registerOrderMailWriter } from '#ordering/server/mails/send-order-mails.ts';
import { removeOrderLines } from '#ordering/server/remove-order-lines.ts';
import { hasUnsettledPayments } from '#payment/server/payment-views.ts';
import { readOrderPayments } from '#payment/server/read-payments.ts';
import { refundOrder, retryRefund } from '#payment/server/refund-order.ts';
import { workOf } from '#payment/testing/model/all-work.ts';
import { meal, pizza } from '#payment/testing/meal.ts';
import { openStripeBench, type StripeBench } from '#payment/testing/stripe-bench.ts';

/* What is still to be given back of refunds that failed, once some of the money goes back in another way. */

const by = { actor: 'Olive Owner', actorId: null };
const day = 24 * 60 * 60;

let bench: StripeBench;
beforeEach(async () => {
  bench = await openStripeBench();
});
afterEach(() => bench.close());

async function pizzaOff(orderId: string): Promise<void> {
  const lines = [{ line_id: pizza, quantity: 1 }];
  const request = { orderId, lines, reason: 'sold_out', role: 'store_admin', by, now: bench.clock.now } as const;
  await inTransaction(bench.db, (tx) => removeOrderLines(tx, bench.services, request));
}
const ask = (orderId: string, amount: number) =>
  inTransaction(bench.db, (tx) =>
    refundOrder(tx, bench.services, { orderId, key: randomUUID(), wanted: { amount }, reason: 'Cold', ...by }),
  );
const retry = (id: string, how: 'provider' | 'hand') =>
  inTransaction(bench.db, (tx) => retryRefund(tx, bench.services, { id, by: how, ...by }));
const refundsOf = async (id: string) => (await readOrderPayments(bench.db, id)).refunds;
async function moneyBack(id: string) {
  const [order] = await loadOrders(bench.db, bench.services.orderParts, [id]);
  return order && presentGuestOrder(order).money_back;
}
async function work(times = 2): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    await bench.jobs.run();
    bench.wait(360);
    await bench.payments.sweep();
  }
}
/** The bank sends the money of the newest refund back. */
async function sendBack(id: string): Promise<void> {
  const made = [...bench.stripe.control.books().tables.refund.values()].at(-1);
  bench.stripe.control.finishRefund(made?.id ?? '', 'failed');
  await bench.payments.reconcile(id, true);
}
async function readStatement(): Promise<void> {
  bench.wait(day + 60);
  await workOf(bench.payments, 'bank');
  await work();
}

test('nothing is due of a dish’s failed refund once its order is cancelled and all of it is refunded', async () => {
  const { id } = await bench.charged(meal);
  await pizzaOff(id);
  await bench.jobs.run();
  await sendBack(id);
  expect(await refundsOf(id)).toMatchObject([{ status: 'failed', amount: 500, due: 500, problem: 'refused' }]);
  await bench.move(id, 'cancel', { reason: 'No more rice' });
  await work();
  const refunds = await refundsOf(id);
  expect(refunds).toMatchObject([
    { status: 'failed', amount: 500, due: 0, problem: 'given_back' },
    { status: 'succeeded', amount: 750, due: 0, problem: null },
  ]);
  for (const how of ['provider', 'hand'] as const) {
    await expect(retry(refunds[0]?.id ?? '', how)).rejects.toMatchObject({ code: 'conflict' });
  }
  expect(await moneyBack(id)).toEqual([{ state: 'made', amount: 1250 }]);
  expect(await hasUnsettledPayments(bench.db, [id])).toBe(false);
  // It comes back from the bank as well: all of it is due again.
  await sendBack(id);
  expect(await refundsOf(id)).toMatchObject([
    { status: 'failed', amount: 500, due: 500 },
    { status: 'failed', amount: 750, due: 750 },
  ]);
  expect(await hasUnsettledPayments(bench.db, [id])).toBe(true);
});

test('nothing is due of a failed refund once its order is cancelled and refunded', async () => {
  const { id } = await bench.charged(meal);
  await ask(id, 300);
  await bench.jobs.run();
  await sendBack(id);
  await bench.move(id, 'cancel', { reason: 'No more rice' });
  await work();
  expect(await refundsOf(id)).toMatchObject([
    { status: 'failed', amount: 300, due: 0, problem: 'given_back' },
    { status: 'succeeded', amount: 1250 },
  ]);
});

test.each(['newest first', 'oldest first'])(
  'what a lost dispute leaves of an order that ended is due once, whatever failed before; by hand %s',
  async (order) => {
    const { id, session } = await bench.charged(meal);
    const dispute = bench.stripe.control.openDispute(bench.atStripe(session).charge.id, { amount: 400 });
    await readStatement();
    await pizzaOff(id);
    await bench.move(id, 'cancel', { reason: 'No more rice' });
    await work();
    bench.stripe.control.closeDispute(dispute.id, 'lost');
    await readStatement();
    const failed = await refundsOf(id);
    expect(failed.reduce((sum, { due }) => sum + due, 0)).toBe(850);
    const open = failed.filter(({ due }) => due > 0);
    for (const { id: refund } of order === 'newest first' ? open.toReversed() : open) await retry(refund, 'hand');
    const after = await refundsOf(id);
    expect(after.reduce((sum, { due }) => sum + due, 0)).toBe(0);
    expect(after.filter(({ status }) => status === 'succeeded').reduce((sum, { amount }) => sum + amount, 0)).toBe(850);
    for (const { id: refund } of after.filter(({ status }) => status === 'failed')) {
      await expect(retry(refund, 'hand')).rejects.toMatchObject({ code: 'conflict' });
    }
  },
);

test('of a late payment that could not go back, only what the owner has not refunded at Stripe is due', async () => {
  const { id, session } = await bench.begun(meal);
  await bench.payments.payAgain(id, 'cash');
  bench.stripe.control.pay(session, { method: 'pay_by_bank' });
  await bench.payments.reconcile(id);
  await bench.move(id, 'accept');
  await bench.move(id, 'collected-by-customer');
  await bench.jobs.run();
  await sendBack(id);
  const [late] = await refundsOf(id);
  expect(late).toMatchObject({ kind: 'late_payment', status: 'failed', amount: 1250, due: 1250 });
  expect(await moneyBack(id)).toEqual([{ state: 'not_made', amount: 1250 }]);
  await bench.keySet.stripe.refunds.create({ payment_intent: bench.atStripe(session).intent.id, amount: 400 });
  await bench.payments.reconcile(id, true);
  expect(await refundsOf(id)).toMatchObject([{ status: 'failed', amount: 1250, due: 850, problem: 'refused' }]);
  await retry(late?.id ?? '', 'hand');
  expect(await refundsOf(id)).toMatchObject([
    { kind: 'late_payment', status: 'failed', amount: 400, due: 0, problem: 'given_back' },
    { kind: 'late_payment', status: 'succeeded', payment_id: null, amount: 850, due: 0 },
  ]);
  expect(await moneyBack(id)).toEqual([]);
});

test('a failed refund of which a part went back in another way is made again with the rest, and its VAT', async () => {
  const { id, session } = await bench.charged(meal);
  await ask(id, 1250);
  await bench.jobs.run();
  await sendBack(id);
  const [asked] = await refundsOf(id);
  await bench.keySet.stripe.refunds.create({ payment_intent: bench.atStripe(session).intent.id, amount: 250 });
  await bench.payments.reconcile(id, true);
  expect(await refundsOf(id)).toMatchObject([{ amount: 1250, due: 1000, problem: 'refused' }, { amount: 250 }]);
  await retry(asked?.id ?? '', 'provider');
  await bench.jobs.run();
  const [left, rest, again] = await refundsOf(id);
  expect(left).toMatchObject({ status: 'failed', amount: 250, due: 0, problem: 'given_back' });
  expect(again).toMatchObject({ status: 'succeeded', amount: 1000, lines: [] });
  expect((again?.vat[0]?.vat ?? 0) + (rest?.vat[0]?.vat ?? 0)).toBe(208);
  expect(await bench.order(id)).toMatchObject({ payment_status: 'refunded', refunded: 1250 });
});

test.each(['hand', 'provider'] as const)(
  'what was given back in another way is due again when that comes back, after the rest was made by %s',
  async (how) => {
    const { id, session } = await bench.charged(meal);
    await pizzaOff(id);
    await bench.jobs.run();
    await sendBack(id);
    await bench.keySet.stripe.refunds.create({ payment_intent: bench.atStripe(session).intent.id, amount: 950 });
    const other = [...bench.stripe.control.books().tables.refund.values()].at(-1)?.id ?? '';
    await bench.payments.reconcile(id, true);
    const [pizzas] = await refundsOf(id);
    expect(pizzas).toMatchObject({ kind: 'line_removed', status: 'failed', amount: 500, due: 300 });
    await retry(pizzas?.id ?? '', how);
    await bench.jobs.run();
    expect(await refundsOf(id)).toMatchObject([
      { kind: 'line_removed', status: 'failed', amount: 200, due: 0, problem: 'given_back' },
      { kind: 'at_provider', status: 'succeeded', amount: 750 },
      { kind: 'line_removed', status: 'succeeded', amount: 300 },
    ]);
    expect(await hasUnsettledPayments(bench.db, [id])).toBe(false);
    bench.stripe.control.finishRefund(other, 'failed');
    await bench.payments.reconcile(id, true);
    const open = (await refundsOf(id)).filter(({ due }) => due > 0);
    expect(open).toMatchObject([
      { kind: 'line_removed', amount: 200, due: 200 },
      { kind: 'at_provider', amount: 750, due: 750 },
    ]);
    for (const refund of open) await retry(refund.id, 'hand');
    const after = await refundsOf(id);
    expect(after.every(({ status }) => status === 'succeeded')).toBe(true);
    expect(after.reduce((sum, { amount }) => sum + amount, 0)).toBe(1250);
    expect(after.flatMap(({ vat }) => vat).reduce((sum, { vat }) => sum + vat, 0)).toBe(125);
  },
);

test.each(['a dish', 'a part'])(
  'the failed refund of %s is made once the owner refunds as much at Stripe, and fails again with that',
  async (what) => {
    const { id, session } = await bench.charged({
      ...meal,
      contact: { name: 'Ada Byron', phone: '', email: 'ada@example.com' },
    });
    if (what === 'a dish') await pizzaOff(id);
    else await ask(id, 500);
    await bench.jobs.run();
    await sendBack(id);
    await bench.keySet.stripe.refunds.create({ payment_intent: bench.atStripe(session).intent.id, amount: 500 });
    await bench.payments.reconcile(id, true);
    await bench.payments.reconcile(id, true);
    const [made, ...others] = await refundsOf(id);
    expect(made).toMatchObject({ status: 'succeeded', amount: 500, due: 0, problem: null });
    expect(others).toEqual([]);
    const isDish = what === 'a dish';
    expect(await bench.order(id)).toMatchObject(
      isDish ? { payment_status: 'paid', refunded: 0 } : { payment_status: 'partially_refunded', refunded: 500 },
    );
    const mails = await bench.db
      .selectFrom('order_mails')
      .select('kind')
      .where('refund_id', '=', made?.id ?? '')
      .execute();
    expect(mails.map(({ kind }) => kind).toSorted()).toEqual(['refund_failed', 'refunded']);
    await expect(retry(made?.id ?? '', 'provider')).rejects.toMatchObject({ code: 'conflict' });
    await sendBack(id);
    expect(await refundsOf(id)).toMatchObject([{ status: 'failed', amount: 500, due: 500 }]);
  },
);

test('a failed refund that the owner made at Stripe fails once, however often Stripe is asked', async () => {
  const { id, session } = await bench.charged(meal);
  await ask(id, 500);
  await bench.jobs.run();
  await sendBack(id);
  await bench.keySet.stripe.refunds.create({ payment_intent: bench.atStripe(session).intent.id, amount: 500 });
  for (let time = 0; time < 3; time += 1) await bench.payments.reconcile(id, true);
  const history = await bench.db.selectFrom('order_history').select('note').where('order_id', '=', id).execute();
  expect(history.flatMap(({ note }) => note?.kind ?? [])).toEqual(['refund', 'refund_failed']);
});

test('the mail about a failed refund tells what is due when it is written, and there is none once nothing is', async () => {
  type Mail = OrderServices['mail'];
  let write: Parameters<Mail['writtenBy']>[1] = async () => null;
  const mail: Mail = { ...bench.services.mail, writtenBy: (_kinds, how) => void (write = how) };
  registerOrderMailWriter({ ...bench.services, mail });
  const { id, session } = await bench.charged({
    ...meal,
    contact: { name: 'Ada Byron', phone: '', email: 'ada@example.com' },
  });
  await ask(id, 1250);
  await bench.jobs.run();
  await sendBack(id);
  const mailId = randomUUID();
  await bench.db
    .updateTable('order_mails')
    .set({ mail_id: mailId })
    .where('order_id', '=', id)
    .where('kind', '=', 'refund_failed')
    .execute();
  const subject = async () =>
    (await write({ id: mailId, kind: 'order_refund_failed', orderId: id, about: {} } as Parameters<typeof write>[0]))
      ?.content.subject;
  expect(await subject()).toMatch(/^The refund of £12\.50 for your order/);
  await bench.keySet.stripe.refunds.create({ payment_intent: bench.atStripe(session).intent.id, amount: 250 });
  await bench.payments.reconcile(id, true);
  expect(await subject()).toMatch(/^The refund of £10\.00 for your order/);
  const [failed] = await refundsOf(id);
  await retry(failed?.id ?? '', 'hand');
  expect(await refundsOf(id)).toMatchObject([{ status: 'failed', amount: 250, due: 0 }, {}, { amount: 1000 }]);
  expect(await subject()).toBeUndefined();
});

test('a mail about a failed refund that meets a dispute is not sent, and is queued again once that is won', async () => {
  type Mail = OrderServices['mail'];
  let write: Parameters<Mail['writtenBy']>[1] = async () => null;
  const mail: Mail = { ...bench.services.mail, writtenBy: (_kinds, how) => void (write = how) };
  registerOrderMailWriter({ ...bench.services, mail });
  const { id, session } = await bench.charged({
    ...meal,
    contact: { name: 'Ada Byron', phone: '', email: 'ada@example.com' },
  });
  await ask(id, 500);
  await bench.jobs.run();
  await sendBack(id);
  const mails = bench.db.selectFrom('order_mails').select('mail_id').where('order_id', '=', id);
  const ofFailure = () => mails.where('kind', '=', 'refund_failed').execute();
  expect(await ofFailure()).toEqual([{ mail_id: null }]);
  const dispute = bench.stripe.control.openDispute(bench.atStripe(session).charge.id, { amount: 1250 });
  await readStatement();
  const mailId = randomUUID();
  await bench.db
    .updateTable('order_mails')
    .set({ mail_id: mailId })
    .where('order_id', '=', id)
    .where('kind', '=', 'refund_failed')
    .execute();
  const written = { id: mailId, kind: 'order_refund_failed', orderId: id, about: {} } as Parameters<typeof write>[0];
  expect(await write(written)).toBeNull();
  bench.stripe.control.closeDispute(dispute.id, 'won');
  await readStatement();
  expect(await ofFailure()).toEqual([{ mail_id: null }]);
});

test('the owner is told only what is still to be given back of a refund that failed', async () => {
  await bench.close();
  bench = await openStripeBench({ ALERT_WEBHOOK_URL: 'https://alerts.example' });
  const alerts: string[] = [];
  await bench.jobs.work('alert', async ({ subject }: { subject: string }) => void alerts.push(subject));
  const refundAtStripe = ({ session }: { session: string }, amount: number) =>
    bench.keySet.stripe.refunds.create({ payment_intent: bench.atStripe(session).intent.id, amount });

  const refused = await bench.charged(meal);
  await ask(refused.id, 1250);
  await refundAtStripe(refused, 250);
  await bench.jobs.run();
  await bench.jobs.run();
  expect(await refundsOf(refused.id)).toMatchObject([{ status: 'failed', amount: 1250, due: 1000 }, { amount: 250 }]);
  const { number } = await bench.order(refused.id);
  expect(alerts).toEqual([`The refund of £10.00 for order ${number} failed`]);

  const returned = await bench.charged(meal);
  await ask(returned.id, 1250);
  await bench.jobs.run();
  const made = [...bench.stripe.control.books().tables.refund.values()].at(-1);
  bench.stripe.control.finishRefund(made?.id ?? '', 'failed');
  for (const amount of [600, 650]) await refundAtStripe(returned, amount);
  await bench.payments.reconcile(returned.id, true);
  await bench.jobs.run();
  expect((await refundsOf(returned.id))[0]).toMatchObject({ status: 'failed', due: 0, problem: 'given_back' });
  expect(alerts).toHaveLength(1);
});

test('of a refund that comes back during a dispute nobody is asked to do anything, until it is won', async () => {
  await bench.close();
  bench = await openStripeBench({ ALERT_WEBHOOK_URL: 'https://alerts.example' });
  const alerts: string[] = [];
  await bench.jobs.work('alert', async ({ subject, text }: { subject: string; text: string }) => {
    alerts.push(`${subject}\n${text.split('\n')[0]}`);
  });
  const { id, session } = await bench.charged({
    ...meal,
    contact: { name: 'Ada Byron', phone: '', email: 'ada@example.com' },
  });
  const { number } = await bench.order(id);
  await ask(id, 500);
  await bench.jobs.run();
  const dispute = bench.stripe.control.openDispute(bench.atStripe(session).charge.id, { amount: 1250 });
  await readStatement();
  await sendBack(id);
  await bench.jobs.run();
  const ofRefund = () => alerts.filter((alert) => alert.startsWith('The refund of £5.00'));
  const mails = () =>
    bench.db
      .selectFrom('order_mails')
      .select('kind')
      .where('order_id', '=', id)
      .where('kind', '=', 'refund_failed')
      .execute();
  expect(await refundsOf(id)).toMatchObject([{ status: 'failed', due: 0, problem: 'disputed' }]);
  expect(ofRefund()).toEqual([
    `The refund of £5.00 for order ${number} came back\n` +
      'The customer’s bank sent the £5.00 back while it has the payment in dispute. You need not do anything until the bank has decided.',
  ]);
  expect(await mails()).toEqual([]);

  bench.stripe.control.closeDispute(dispute.id, 'won');
  await readStatement();
  expect(await refundsOf(id)).toMatchObject([{ status: 'failed', due: 500, problem: 'refused' }]);
  expect(ofRefund()[1]).toBe(
    `The refund of £5.00 for order ${number} failed\n` +
      `£5.00 for order ${number} could not be refunded to the card. Look at the reason, and try again or give the money back yourself.`,
  );
  expect(ofRefund()).toHaveLength(2);
  expect(await mails()).toHaveLength(1);
});
