import { isAccepted } from '#ordering/order-status.ts';
import { paymentStatuses } from '#ordering/payment-status.ts';
import type { PaymentAttemptStatus } from '#payment/payment-state.ts';
import { type KnownPayment, type OrderMoney, type StripeMoney, sum } from '#payment/testing/model/read-money.ts';

/** What is wrong with an order's money that must never be, whatever is under way. */
export function wrongNow(money: OrderMoney): string[] {
  return [
    ...money.atStripe.flatMap(wrongAtStripe),
    ...money.payments.flatMap((payment) => wrongPayment(payment, money)),
    ...wrongOrder(money),
  ];
}

function wrongAtStripe({ session, intent, captured, charges, refunded }: StripeMoney): string[] {
  return found(session.id, [
    [captured > (intent?.amount ?? 0), 'more was captured than authorised'],
    [charges > 1, 'it was captured twice'],
    [refunded > captured, 'more was refunded than captured'],
  ]);
}

function wrongPayment(payment: KnownPayment, { atStripe, refunds }: OrderMoney): string[] {
  const there = atStripe.filter(({ paymentId }) => paymentId === payment.id);
  const own = there.find(({ session }) => session.id === payment.reference);
  const back = sum(refunds.filter(({ payment_id, status }) => payment_id === payment.id && status !== 'failed'));
  return found(`payment ${payment.id}`, [
    [there.length > 1 && there.filter(({ captured }) => captured > 0).length > 1, 'it was paid on two pages'],
    [payment.reference !== null && !own, 'its reference is of another payment'],
    [payment.captured !== null && payment.captured !== own?.captured, 'another sum was captured'],
    [payment.status === 'captured' && !(own && own.captured > 0), 'it says captured and is not'],
    [payment.status === 'refunded' && !(own && own.captured > 0), 'it says refunded and was never captured'],
    [back > (own?.captured ?? 0), 'its refunds are more than was captured'],
  ]);
}

function wrongOrder({ order, payments, atStripe }: OrderMoney): string[] {
  const isCard = order.payment_method === 'card';
  const latest = payments.at(-1);
  const isCapturing = latest?.status === 'authorised' && latest.owed === 'capture';
  const captures = atStripe.filter(({ intent, captured }) => captured > 0 && intent?.capture_method === 'manual');
  return found(`order ${order.id}`, [
    [order.refunded > order.total, 'more was refunded than it costs'],
    [order.total < 0, 'it costs less than nothing'],
    [captures.length > 1, 'two of its holds were captured'],
    [
      isCard && paymentStatuses[order.payment_status].isTaken && !payments.some(({ captured }) => captured !== null),
      `it says ${order.payment_status} and nothing was captured`,
    ],
    [
      isCard && isAccepted(order.status) && ['unpaid', 'voided'].includes(order.payment_status),
      `it is ${order.status}, and ${order.payment_status}`,
    ],
    [
      isCard && isAccepted(order.status) && order.payment_status === 'authorised' && !isCapturing,
      'it is accepted, and nobody captures its money',
    ],
  ]);
}

/** What a payment may have become since it was seen last, maybe by several changes. */
const ways: Record<PaymentAttemptStatus, readonly PaymentAttemptStatus[]> = {
  pending: ['authorised', 'captured', 'voided', 'refunded', 'failed'],
  authorised: ['captured', 'voided', 'refunded', 'failed'],
  captured: ['refunded'],
  voided: [],
  refunded: [],
  // A capture that was given up turned out to be made, and may have been refunded.
  failed: ['captured', 'refunded'],
};

/** Payments whose state has moved back since `before`, by their ids. */
export function movedBack(
  before: ReadonlyMap<string, PaymentAttemptStatus>,
  payments: readonly KnownPayment[],
): string[] {
  return payments.flatMap(({ id, status }) => {
    const was = before.get(id);
    const isForward = was === undefined || was === status || ways[was].includes(status);
    return isForward ? [] : [`payment ${id}: it was ${was} and is ${status}`];
  });
}

export function found(what: string, faults: readonly (readonly [boolean, string])[]): string[] {
  return faults.flatMap(([isWrong, words]) => (isWrong ? [`${what}: ${words}`] : []));
}
