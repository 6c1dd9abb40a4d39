/** A mistake that somebody might make: a change of one file of the shop's code. */
export interface PlantedBug {
  bug: string;
  file: string;
  /** Occurs once in the file. */
  from: string;
  to: string;
}

const server = 'src/payment/server';

export const plantedBugs: readonly PlantedBug[] = [
  {
    bug: 'an order is changed without its lock',
    file: 'src/ordering/server/change-orders.ts',
    from: "where('id', '=', id).forNoKeyUpdate().executeTakeFirstOrThrow()",
    to: "where('id', '=', id).executeTakeFirstOrThrow()",
  },
  {
    bug: 'refunds are counted without the lock of their order',
    file: 'src/ordering/server/change-orders.ts',
    from: "where('id', '=', id).forNoKeyUpdate().executeTakeFirst()",
    to: "where('id', '=', id).executeTakeFirst()",
  },
  {
    bug: 'a key changes at each try',
    file: `${server}/owed.ts`,
    from: ':${call}:${attempts}`',
    to: ':${call}:${attempts}:${Math.random()}`',
  },
  {
    bug: 'an attempt is raised after an outage',
    file: `${server}/begin.ts`,
    from: 'if (error instanceof ProviderRefusal || error instanceof KeySpent) {',
    to: 'if (error instanceof Error) {',
  },
  {
    bug: 'the amount is not compared when money arrives',
    file: 'src/payment/payment-state.ts',
    from: 'if (!isExpected(payment, seen)) {',
    to: 'if (false) {',
  },
  {
    bug: 'the amount is not compared again before it is captured',
    file: `${server}/settle-owed.ts`,
    from: "if (wanted === 'capture' && !isExpected(payment, before)) return 'refused';",
    to: '',
  },
  {
    bug: 'account and mode are not compared',
    file: 'src/payment/payment-state.ts',
    from: ' && seen.isForeign !== true;',
    to: ';',
  },
  {
    bug: 'what is there is not fetched before it is captured',
    file: `${server}/settle-owed.ts`,
    from: 'const before = await provider.fetch(reference);',
    to: "const before = { ...(await provider.fetch(reference)), ...(payment.owed === 'capture' && { state: 'authorised' as const }) };",
  },
  {
    bug: 'a payment moves back',
    file: 'src/payment/payment-state.ts',
    from: "  captured: { refunded: 'refunded' },",
    to: "  captured: { refunded: 'refunded', authorised: 'authorised' },",
  },
  {
    bug: 'money that came too late is not released',
    file: 'src/payment/payment-state.ts',
    from: "if (!isWaiting) return { ...step, owed: 'release', orderPayment };",
    to: 'if (!isWaiting) return { ...step, orderPayment };',
  },
  {
    bug: 'an order that ends leaves captured money',
    file: `${server}/owed.ts`,
    from: "['pending', 'authorised', 'captured'])\n    .where((eb)",
    to: "['pending', 'authorised'])\n    .where((eb)",
  },
  {
    bug: 'captured money is cancelled, not refunded',
    file: 'src/payment/payment-state.ts',
    from: "if (state === 'captured') return 'refund';",
    to: "if (state === 'captured') return 'void';",
  },
  {
    bug: 'a page stays open when another one is opened',
    file: `${server}/begin.ts`,
    from: '  await settleEarlier(context, orderId);\n',
    to: '',
  },
  {
    bug: 'a page that was opened while its order ended is not closed',
    file: `${server}/begin.ts`,
    from: '  await closeUnseen(context, payment, checkout);\n',
    to: '',
  },
  {
    bug: 'the card is charged although the order is paid in cash',
    file: `${server}/pay-again.ts`,
    from: '  await releaseAll(tx, services.jobs, order.id, now);\n',
    to: '',
  },
  {
    bug: 'a refund is made without looking whether it was made',
    file: `${server}/stripe/stripe-provider.ts`,
    from: "if (made || before.state === 'refunded') return before;",
    to: "if (before.state === 'refunded') return before;",
  },
  {
    bug: 'refunds on their way are not counted',
    file: `${server}/refund-rows.ts`,
    from: "    .where('order_id', '=', orderId)\n    .where('status', '!=', 'failed')\n",
    to: "    .where('order_id', '=', orderId)\n    .where('status', '=', 'succeeded')\n",
  },
  {
    bug: 'a message about an order that is not known yet is left at once',
    file: `${server}/events/event-worker.ts`,
    from: 'return mayBeEarly && age < unknownFor ?',
    to: 'return mayBeEarly && age < 0 ?',
  },
  {
    bug: 'a message that comes again is handled again',
    file: `${server}/events/event-rows.ts`,
    from: 'on conflict do nothing`',
    to: 'on conflict (provider, id) do update set check_at = excluded.check_at, outcome = null`',
  },
  {
    bug: 'a message is believed without its signature',
    file: `${server}/stripe/stripe-provider.ts`,
    from: 'if (error instanceof Stripe.errors.StripeSignatureVerificationError) continue;',
    to: 'if (error instanceof Stripe.errors.StripeSignatureVerificationError) return JSON.parse(rawBody) as Stripe.Event;',
  },
  {
    bug: 'a reference is believed without looking whose payment it is',
    file: `${server}/reconcile.ts`,
    from: 'if (is.paymentId === payment.id) return',
    to: 'if (is) return',
  },
  {
    bug: 'a lost message is never made up for',
    file: `${server}/sweep-payments.ts`,
    from: 'select id from payments where check_at <= ${now} order by check_at',
    to: 'select id from payments where check_at <= ${now} and owed is not null order by check_at',
  },
  {
    bug: 'an order is accepted on a hold that has ended',
    file: `${server}/owed.ts`,
    from: '(payment && isHoldEnded(payment.held_until, now))',
    to: 'false',
  },
  {
    bug: 'a capture that was given up leaves its hold',
    file: `${server}/settle-owed.ts`,
    from: "    await owe(tx, services.jobs, payment, 'release', services.now());\n",
    to: '',
  },
  {
    bug: 'an order that is paid by card may be marked as paid in cash',
    file: `${server}/mark-paid.ts`,
    from: "const isFailed = order.payment_status === 'failed';",
    to: "const isFailed = order.payment_status === 'failed' || order.payment_status === 'authorised';",
  },
  {
    bug: 'what was charged for a dish that was taken off is kept',
    file: `${server}/refund-excess.ts`,
    from: 'if (amount === 0) return;',
    to: 'if (amount >= 0) return;',
  },
  {
    bug: 'more is captured than the order costs now',
    file: `${server}/settle-owed.ts`,
    from: 'const amount = Math.min(order.total, payment.amount);',
    to: 'const amount = payment.amount;',
  },
  {
    bug: 'another sum is captured at each try',
    file: `${server}/settle-owed.ts`,
    from: 'if (payment.capture_amount !== null) return payment.capture_amount;',
    to: '',
  },
  {
    bug: 'refunds that were found together are one row',
    file: `${server}/follow-refunds.ts`,
    from: 'if (!refundList) {',
    to: 'if (true) {',
  },
  {
    bug: 'the refund of a disputed order is forgotten',
    file: `${server}/bank/follow-stage.ts`,
    from: "if (isOwed) await owe(tx, jobs, payment, 'release', now());",
    to: '',
  },
  {
    bug: 'what the payer took back by their bank is refunded by hand as well',
    file: `${server}/hand-over-refund.ts`,
    from: 'return paidBy(payment) - sumOf(back) - (atBank?.amount ?? 0);',
    to: 'return paidBy(payment) - sumOf(back);',
  },
  {
    bug: 'a repeated refund is journalled again',
    file: 'src/payment/movements.ts',
    from: 'known.some((one) => one.kind === kind && one.object === id)',
    to: 'known.some((one) => one.kind === kind && one.object === id && one.amount === 0)',
  },
];
