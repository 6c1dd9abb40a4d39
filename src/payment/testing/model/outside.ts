import type Stripe from 'stripe';
import type { PageForm } from '#simulators/stripe/checkout/pay.ts';
import type { Fault, FaultKind } from '#simulators/stripe/api/faults.ts';
import type { ShopBench } from '#payment/testing/model/shop-bench.ts';

/** What happens outside of the shop: on Stripe's page, at banks, at Stripe, on the network. */
export interface Happening {
  name: string;
  /** How many times as often as others it is drawn. */
  often?: number;
  happen(shop: ShopBench, order: string, n: number): Promise<void> | void;
}

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

export const happenings: readonly Happening[] = [
  { ...pays('by card', {}), often: 4 },
  pays('by a wallet', { method: 'apple_pay' }),
  pays('with 3-D Secure', { number: '4000000000003220' }),
  pays('with a card that is declined', { number: '4000000000000002' }),
  pays('with a card declined after 3-D Secure', { number: '4000008400001629' }),
  pays('with a card whose refunds take a minute', { number: '4000000000007726' }),
  pays('with a card whose refunds fail later', { number: '4000000000005126' }),
  { ...pays('by Pay by Bank', { method: 'pay_by_bank' }), often: 2 },
  pays('by Pay by Bank, which takes a while', { method: 'pay_by_bank', bank: 'later' }),
  {
    name: 'the bank is answered',
    async happen(shop, order, n) {
      const session = await shownPage(shop, order, n);
      if (intentOf(shop, session)?.status === 'requires_action') shop.stripe.control.answerBank(session, n % 3 > 0);
    },
  },
  {
    name: 'the bank decides',
    happen({ stripe }, _order, n) {
      const slow = tables(stripe).intents.find(({ status }) => status === 'processing');
      if (slow) stripe.control.finishPayment(slow.id, n % 3 > 0);
    },
  },
  {
    name: 'a refund ends',
    happen({ stripe }, _order, n) {
      const pending = tables(stripe).refunds.find(({ status }) => status === 'pending');
      if (pending) stripe.control.finishRefund(pending.id, n % 3 > 0 ? 'succeeded' : 'failed');
    },
  },
  {
    name: 'refunds take a while from now on, or not',
    happen: ({ stripe }, _order, n) => void stripe.control.set({ refunds: n % 2 === 0 ? 'pending' : 'succeeded' }),
  },
  { name: 'the owner refunds at Stripe', happen: refundAtStripe },
  // Of an accepted order, its capture is refused then, and its customer may pay again.
  { name: 'the owner cancels a hold at Stripe', happen: cancelHold, often: 2 },
  { name: 'a payer disputes', happen: disputeCharge },
  {
    name: 'a dispute is decided',
    happen({ stripe }, _order, n) {
      const { disputes } = tables(stripe);
      const dispute = disputes[n % Math.max(disputes.length, 1)];
      // A lost one may be appealed, and won.
      const isOver = dispute?.status === 'won' || dispute?.status === 'warning_closed';
      if (dispute && !isOver) stripe.control.closeDispute(dispute.id, n % 3 > 0 ? 'won' : 'lost');
    },
  },
  {
    name: 'the key is refused, or works again',
    happen: ({ stripe }, _order, n) => stripe.control.keys.limitToOthers(stripe.secretKey, n % 3 === 0),
  },
  passes('a second', 1),
  { ...passes('half a minute', 30), often: 2 },
  passes('three minutes', 3 * minute),
  passes('half an hour', 31 * minute),
  passes('some hours', 5 * hour),
  passes('a day', day + hour),
  passes('the hold', 7 * day),
  { name: 'a fault', happen: ({ stripe }, _order, n) => stripe.control.faults.add(faultOf(n)) },
  {
    name: 'Stripe is down, or up again',
    happen: ({ stripe }, _order, n) => stripe.control.faults.setDown(n % 3 === 0),
  },
  {
    name: 'messages are lost, late or doubled',
    happen({ stripe }, _order, n) {
      const action = (['drop', 'hold', 'delay', 'duplicate'] as const)[n % 4] ?? 'drop';
      stripe.control.webhooks.plan({ action, times: 1 + (n % 5), milliseconds: 40_000 });
    },
  },
  {
    name: 'late messages come',
    happen: ({ stripe }, _order, n) => stripe.control.webhooks.release(n % 2 === 0 ? 'backwards' : { seed: n }),
  },
  {
    name: 'old messages come again',
    async happen({ stripe }, _order, n) {
      const events = [...stripe.control.books().tables.event.keys()];
      const chosen = events[n % Math.max(events.length, 1)];
      if (chosen !== undefined) await stripe.control.webhooks.redeliver(chosen);
    },
  },
  { name: 'the answer to a message is lost', happen: (shop) => void shop.answers.push(503) },
  {
    name: 'the shop accepts by itself, or not',
    happen: (shop, _order, n) => shop.changeStore({ auto_accept: n % 3 === 0 }),
  },
];

/** Ends what only people outside can end. */
export async function endOutside({ stripe, answers }: ShopBench): Promise<void> {
  const { control } = stripe;
  answers.length = 0;
  control.keys.limitToOthers(stripe.secretKey, false);
  control.faults.clear();
  control.webhooks.clear();
  await control.webhooks.release();
  for (const { id, status, amount } of tables(stripe).disputes) {
    if (status.endsWith('needs_response')) control.closeDispute(id, amount % 2 === 0 ? 'won' : 'lost');
  }
  for (const { id, status } of tables(stripe).intents) if (status === 'processing') control.finishPayment(id, true);
  for (const { id, status } of tables(stripe).refunds) if (status === 'pending') control.finishRefund(id, 'succeeded');
  await control.webhooks.settled();
}

function pays(how: string, form: Partial<PageForm>): Happening {
  return {
    name: `pays ${how}`,
    async happen(shop, order, n) {
      const session = await shownPage(shop, order, n);
      if (session !== '') shop.stripe.control.pay(session, form);
    },
  };
}

function passes(name: string, seconds: number): Happening {
  return { name: `${name} passes`, happen: (shop) => shop.pass(seconds) };
}

/** One of the pages that the order's customer was sent to, which may be open in a browser still. */
async function shownPage({ db }: ShopBench, order: string, n: number): Promise<string> {
  const shown = await db
    .selectFrom('payments')
    .select('reference')
    .where('order_id', '=', order)
    .where('redirect_url', 'is not', null)
    .orderBy('id', 'desc')
    .execute();
  return shown[n % Math.max(shown.length, 1)]?.reference ?? '';
}

function tables(stripe: ShopBench['stripe']) {
  const { charge, dispute, payment_intent, refund } = stripe.control.books().tables;
  return {
    charges: [...charge.values()],
    disputes: [...dispute.values()],
    intents: [...payment_intent.values()],
    refunds: [...refund.values()],
  };
}

function intentOf({ stripe }: ShopBench, session: string): Stripe.PaymentIntent | undefined {
  const { tables: all, sessionOfIntent } = stripe.control.books();
  return [...all.payment_intent.values()].find(({ id }) => sessionOfIntent.get(id)?.id === session);
}

async function refundAtStripe({ stripe, dashboard }: ShopBench, _order: string, n: number): Promise<void> {
  const charge = paidCharge(stripe, n);
  if (!charge) return;
  const amount = 1 + ((n * 89) % (charge.amount_captured - charge.amount_refunded));
  // It meets the same faults as the shop's calls.
  await dashboard.refunds.create({ charge: charge.id, amount }).catch(() => undefined);
}

async function cancelHold({ stripe, dashboard }: ShopBench, _order: string, n: number): Promise<void> {
  const held = tables(stripe).intents.filter(({ status }) => status === 'requires_capture');
  const chosen = held[n % Math.max(held.length, 1)];
  if (chosen) await dashboard.paymentIntents.cancel(chosen.id).catch(() => undefined);
}

/** A bank takes a charge back, a part of it, or only asks about it. */
function disputeCharge({ stripe }: ShopBench, _order: string, n: number): void {
  const charge = paidCharge(stripe, n);
  if (!charge || charge.disputed) return;
  const left = charge.amount_captured - charge.amount_refunded;
  const amount = n % 3 === 0 ? Math.ceil(left / 2) : left;
  stripe.control.openDispute(charge.id, { amount, isInquiry: n % 5 === 0 });
}

/** One of the charges of which something was not refunded. */
function paidCharge(stripe: ShopBench['stripe'], n: number): Stripe.Charge | undefined {
  const charges = tables(stripe).charges.filter(
    ({ captured, amount_captured, amount_refunded }) => captured && amount_refunded < amount_captured,
  );
  return charges[n % Math.max(charges.length, 1)];
}

const kinds: readonly FaultKind[] = [
  'rate_limit',
  'lock_timeout',
  'error_before',
  'error_after',
  'timeout_before',
  'timeout_after',
  'reset_before',
  'reset_after',
  'slow_answer',
  'slow_work',
  'unavailable',
];

function faultOf(n: number): Fault {
  const kind = kinds[n % kinds.length] ?? 'unavailable';
  return {
    kind,
    // A call that only reads has no work to lose.
    ...(n % 4 > 0 && { method: 'POST' }),
    times: 1 + (n % 3),
    milliseconds: 5,
  };
}
