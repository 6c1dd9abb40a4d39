import type { PlantedBug } from './planted-bug.ts';

const server = 'src/payment/server';

export const plantedRefundBugs: readonly PlantedBug[] = [
  {
    bug: 'what was charged for a dish that was taken off is kept',
    test: `${server}/refund-order.test.ts`,
    file: 'src/payment/refund-steps.ts',
    from: 'if (amount === 0) return;',
    to: 'if (amount >= 0) return;',
  },
  {
    bug: 'more is captured than the order costs now',
    test: `${server}/refund-order.test.ts`,
    file: `${server}/settle-payments.ts`,
    from: 'const amount = Math.min(order.total, payment.amount);',
    to: 'const amount = payment.amount;',
  },
  {
    bug: 'another sum is captured at each try',
    test: `${server}/refund-order.test.ts`,
    file: `${server}/settle-payments.ts`,
    from: 'if (payment.capture_amount !== null) return payment.capture_amount;',
    to: '',
  },
  {
    bug: 'refunds that were found together are one row',
    test: `${server}/fail-refunds.test.ts`,
    file: 'src/payment/refund-steps.ts',
    from: 'if (!seen.refundList) {',
    to: 'if (true) {',
  },
  {
    bug: 'what was read before a refund came back makes it good again',
    test: `${server}/fail-refunds.test.ts`,
    file: `${server}/reconcile.ts`,
    from: 'const seen = markKnownFailedRefunds(found, findFailedRefundIds(moved));',
    to: 'const seen = found;',
  },
  {
    bug: 'a failed refund is due although its payer has got the money in another way',
    test: `${server}/refund-due.test.ts`,
    file: 'src/payment/balance.ts',
    from: 'return chargedAmount(payment) - back;',
    to: 'return chargedAmount(payment);',
  },
  {
    bug: 'the refund of a disputed order is forgotten',
    test: `${server}/refunds-not-made.test.ts`,
    file: `${server}/bank/save-dispute.ts`,
    from: "if (isOwed) await queueOwedCall(tx, jobs, payment, 'release', now());",
    to: '',
  },
  {
    bug: 'what the payer took back by their bank is refunded by hand as well',
    test: `${server}/refunds-not-made.test.ts`,
    file: 'src/payment/balance.ts',
    from: 'sumAmounts([...byHand, ...atBank]);',
    to: 'sumAmounts(byHand);',
  },
  {
    bug: 'what was given back by hand is refunded by card as well',
    test: `${server}/refunds-at-stripe.test.ts`,
    file: `${server}/settle-payments.ts`,
    from: 'if (part !== null) return provider.refund(payment.reference, `${key}:${part}`, part);',
    to: '',
  },
  {
    bug: 'what was refunded before the shop heard of the payment is not counted',
    test: `${server}/refunds-at-stripe.test.ts`,
    file: `${server}/reconcile.ts`,
    from: 'if (orderPayment === null || isPlacing) return money;',
    to: 'if (isPlacing) return null; if (orderPayment === null) return money;',
  },
  {
    bug: 'what comes back of a charge that was undone unheard is kept',
    test: `${server}/refunds-at-stripe.test.ts`,
    file: 'src/payment/balance.ts',
    from: ' && paymentStatuses[order.payment_status].isTaken;',
    to: ';',
  },
  {
    bug: 'the customer is not told of a charge that was undone after the order ended',
    test: `${server}/refunds-at-stripe.test.ts`,
    file: 'src/payment/payment-state.ts',
    from: "if (isUndoneLate(payment, order, seen)) return { ...step, failure, orderPayment: 'paid' };",
    to: '',
  },
  {
    bug: 'each tap on the test payment is a payment',
    test: `${server}/keys/trial.test.ts`,
    file: `${server}/keys/trial-payment.ts`,
    from: 'if (known && isGoing(known)) return known;',
    to: '',
  },
  {
    bug: 'a repeated refund is journalled again',
    test: 'src/payment/movements.test.ts',
    file: 'src/payment/movements.ts',
    from: 'known.some((one) => one.kind === kind && one.object === id)',
    to: 'known.some((one) => one.kind === kind && one.object === id && one.amount === 0)',
  },
];
