import type { MovementKind } from '#database/column-values.ts';
import { isCalledOff, isAccepted } from '#ordering/order-status.ts';
import { isCardPaymentRefused } from '#ordering/payment-status.ts';
import { disputeStageOf } from '#payment/bank-rules.ts';
import { balanceOfMovements } from '#payment/movements.ts';
import { found } from '#payment/testing/model/always.ts';
import { type KnownRefund, type OrderMoney, sum } from '#payment/testing/model/read-money.ts';

/**
 * Money that an order that ended has kept, or holds: an hour after the last fault there is none, unless the shop has
 * not heard yet that a dispute was decided, or that a refund came back. If their webhook was lost, the statement of the
 * day tells.
 */
export function keptTooLong(money: OrderMoney): string[] {
  if (!isCalledOff(money.order.status)) return [];
  const refunded = sum(money.refunds.filter(({ status, payment_id }) => status === 'succeeded' && payment_id !== null));
  const isBack = refunded > money.atStripe.reduce((all, { refunded: there }) => all + there, 0);
  const isWaiting = isBack || money.disputes.some(({ status }) => disputeStageOf(status) === 'disputed');
  return found(`${money.order.status} order ${money.order.id}`, [
    [held(money) > 0, `it holds ${held(money)}`],
    [kept(money) > forPeople(money.refunds) && !isWaiting, `it keeps ${kept(money)}`],
  ]);
}

/** What is wrong with an order's money once nothing is under way any more. */
export function wrongAtRest(money: OrderMoney): string[] {
  const { order, payments, refunds, atStripe } = money;
  const open = atStripe.filter(({ session }) => session.status === 'open');
  const expected = paidByCard(money);
  return [
    ...keptTooLong(money),
    ...found(`order ${order.id}`, [
      [order.status === 'pending_payment' || order.status === 'placed', `it is ${order.status} still`],
      [held(money) > 0, `it holds ${held(money)}`],
      [open.length > 0, 'a page of it is open still'],
      [payments.some(({ owed }) => owed !== null), 'a payment owes something still'],
      [payments.some((payment) => isUnfinished(payment, order)), 'a payment is not finished'],
      [payments.some(({ check_at }) => check_at !== null), 'a payment is looked at for ever'],
      [refunds.some(({ status }) => status === 'pending'), 'a refund is pending still'],
      [
        kept(money) > expected || kept(money) < minKept(money, expected),
        `the shop has ${kept(money)} of it by card, and should have ${expected}`,
      ],
    ]),
    ...wrongWords(money),
    ...wrongMails(money),
    ...wrongJournal(money),
  ];
}

/** An attempt that never got a page waits for the next try of a customer whose card the shop could not charge. */
function isUnfinished({ status, reference }: OrderMoney['payments'][number], order: OrderMoney['order']): boolean {
  if (status === 'pending' && reference === null && isRefused(order)) return false;
  return status === 'pending' || status === 'authorised';
}

/** The movements of each payment are what Stripe's books say. */
function wrongJournal({ payments, movements, atStripe }: OrderMoney): string[] {
  return payments.flatMap(({ id }) => {
    const there = atStripe.filter(({ paymentId }) => paymentId === id);
    const sumOf = (kind: MovementKind) => sum(movements.filter((row) => row.payment_id === id && row.kind === kind));
    return found(`the journal of payment ${id}`, [
      [sumOf('captured') !== sum(there.map(({ captured: amount }) => ({ amount }))), 'another sum was captured'],
      [
        sumOf('refunded') - sumOf('refund_failed') !== sum(there.map(({ refunded: amount }) => ({ amount }))),
        'another sum was refunded',
      ],
      [balanceOfMovements(movements.filter((row) => row.payment_id === id)).held !== 0, 'something is held'],
    ]);
  });
}

/** What the shop should have: the price without what the payer got back of it by card, or took back by their bank. */
function paidByCard(money: OrderMoney): number {
  const { order, refunds, payments, atStripe } = money;
  // What was given back by hand of cash was no card's money.
  if (order.payment_method !== 'card' || order.payment_status === 'failed') {
    return forPeople(refunds.filter(({ kind, status }) => kind === 'late_payment' || status === 'failed'));
  }
  if (isCalledOff(order.status)) return forPeople(refunds);
  const late = forPeople(refunds.filter(({ kind }) => kind === 'late_payment'));
  if (!isAccepted(order.status) || payments.length === 0) return late;
  const back = refunds.filter(
    ({ status, kind, payment_id }) =>
      status === 'succeeded' && payment_id !== null && !['line_removed', 'late_payment'].includes(kind),
  );
  const ofLines = forPeople(refunds.filter(({ kind }) => kind === 'line_removed')) + linesAtBank(money);
  return order.total - sum(back) + ofLines + late - sum(atStripe.map(({ atBank: amount }) => ({ amount })));
}

/**
 * The owner may refund at Stripe what people had given back by hand of an order that ended, and the payer's bank may
 * take it: the shop cannot know. What is still to be given back is there all the same.
 */
function minKept(money: OrderMoney, expected: number): number {
  const { order, refunds } = money;
  if (isCalledOff(order.status)) return forPeople(refunds.filter(({ status }) => status === 'failed'));
  return expected - linesAtBank(money) - givenBackTwice(money);
}

/** What people make by hand, or have made so, of refunds that the provider did not make. */
function forPeople(refunds: readonly KnownRefund[]): number {
  return refunds.reduce((all, { status, payment_id, amount, due }) => {
    if (status === 'failed') return all + due;
    return all + (status === 'succeeded' && payment_id === null ? amount : 0);
  }, 0);
}

/** Failed refunds of removed dishes that the payer's bank may have given back, as a part of what it took. */
function linesAtBank({ refunds, atStripe }: OrderMoney): number {
  if (atStripe.every(({ atBank }) => atBank === 0)) return 0;
  const failed = refunds.filter(({ kind, status }) => kind === 'line_removed' && status === 'failed');
  return failed.reduce((all, { amount, due }) => all + amount - due, 0);
}

/** What the owner refunded at Stripe of money that people had given back by hand already: the shop cannot know. */
export function givenBackTwice({ refunds, atStripe }: OrderMoney): number {
  const counted = refunds.filter(
    ({ kind, status, payment_id }) => kind === 'at_provider' && status === 'succeeded' && payment_id !== null,
  );
  const byHand = refunds.filter(({ status, payment_id }) => status === 'succeeded' && payment_id === null);
  const over = atStripe.reduce((all, { refundedByOwner }) => all + refundedByOwner, 0) - sum(counted);
  return Math.max(0, Math.min(over, sum(byHand)));
}

function kept({ atStripe }: OrderMoney): number {
  return atStripe.reduce((all, { captured, refunded, atBank }) => all + captured - refunded - atBank, 0);
}

function held({ atStripe }: OrderMoney): number {
  return atStripe.reduce((all, { held: amount }) => all + amount, 0);
}

/** The customer reads the order's payment status, in words. */
function wrongWords({ order, payments, refunds, atStripe }: OrderMoney): string[] {
  const byCard = refunds.filter(
    ({ payment_id, status, kind }) => payment_id !== null && status === 'succeeded' && kind !== 'late_payment',
  );
  if (order.payment_method !== 'card') {
    return found(`order ${order.id}`, [[byCard.length > 0, 'it was paid in cash, and refunded by card']]);
  }
  if (order.total === 0) return [];
  const latest = payments.at(-1);
  // A payment may have several sessions there: one whose answer was lost, and the next attempt's.
  const ofLatest = atStripe.filter(({ paymentId }) => paymentId === latest?.id);
  const wasCharged = ofLatest.some(({ captured }) => captured > 0);
  // The owner had refunded all of it at Stripe before the shop heard of the charge: its order waited for another one.
  const isUndone =
    latest?.status === 'refunded' && ofLatest.every(({ captured, refundedByOwner }) => refundedByOwner >= captured);
  const says = order.payment_status;
  const back = order.refunded;
  return found(`order ${order.id}`, [
    [says === 'authorised', 'it says that money is held'],
    [says === 'unpaid' && wasCharged && !isUndone, 'it says unpaid, and the customer was charged'],
    [says === 'voided' && wasCharged, 'it says voided, and the customer was charged'],
    [['paid', 'partially_refunded', 'refunded'].includes(says) && !wasCharged, `it says ${says} without a charge`],
    [says === 'paid' && back !== 0, 'it says paid, and something was refunded'],
    [says === 'partially_refunded' && (back === 0 || back === order.total), 'it says partially refunded'],
    [says === 'refunded' && back !== order.total, 'it says refunded, and that is not all'],
  ]);
}

function wrongMails({ order, refunds, disputes, mails }: OrderMoney): string[] {
  const has = (kind: string) => mails.some((mail) => mail.kind === kind);
  const untold = (wanted: typeof refunds, about: string) =>
    wanted.some(({ id }) => !mails.some(({ kind, refund_id }) => kind === about && refund_id === id));
  const made = refunds.filter(({ status, kind }) => status === 'succeeded' && kind !== 'line_removed');
  // What the payer's bank took back did not fail to reach them.
  const failed = refunds.filter(
    ({ status, payment_id }) => status === 'failed' && !disputes.some((dispute) => dispute.payment_id === payment_id),
  );
  if (order.placed_at === null) return [];
  return found(`order ${order.id}`, [
    [!has('placed'), 'its customer was not told that it was placed'],
    [order.accepted_at !== null && !has('accepted'), 'its customer was not told that it was accepted'],
    [isRefused(order) && !has('payment_failed'), 'its customer was not told that the card was refused'],
    [order.status === 'rejected' && !has('rejected'), 'its customer was not told that it was rejected'],
    [order.status === 'cancelled' && !has('cancelled'), 'its customer was not told that it was cancelled'],
    [untold(made, 'refunded'), 'its customer was not told of a refund'],
    [untold(failed, 'refund_failed'), 'its customer was not told of a refund that failed'],
  ]);
}

function isRefused({ status, ...money }: OrderMoney['order']): boolean {
  return isAccepted(status) && isCardPaymentRefused(money);
}
