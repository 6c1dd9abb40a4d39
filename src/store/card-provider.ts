import type { Store } from '#store/contract.ts';
import { answerDeadline } from '#store/slots.ts';
import type { Hours } from '#store/sessions.ts';
import { MINUTE } from '#platform/zone-clock.ts';

/**
 * The card provider of a shop: the real one whose keys it has, else the sandbox, else none, so that it offers no card.
 * The sandbox moves no money, so it needs a demo shop or PAYMENT_SANDBOX=1, and never depends on NODE_ENV.
 */
export function cardProviderFor(
  shop: { is_demo: boolean; card_provider: 'stripe' | null },
  config: { PAYMENT_SANDBOX: boolean },
): Store['card_provider'] {
  return shop.card_provider ?? (shop.is_demo || config.PAYMENT_SANDBOX ? 'sandbox' : null);
}

/** The least that Stripe charges a card, in minor units; the sandbox has the same. */
const leastCharges: Readonly<Record<string, number>> = {
  AED: 200,
  BGN: 100,
  CZK: 1500,
  DKK: 250,
  GBP: 30,
  HKD: 400,
  HUF: 17_500,
  JPY: 50,
  MXN: 1000,
  MYR: 200,
  NOK: 300,
  PLN: 200,
  RON: 200,
  SEK: 300,
  THB: 1000,
};
/** 50 cents of the dollar, the euro and the others. */
const usualLeast = 50;

/** The least that is paid by card, in minor units of a currency. An order that costs nothing is not charged at all. */
export function leastCardAmount(currency: string): number {
  return leastCharges[currency] ?? usualLeast;
}

/** The least amount, if `total` is below it and costs something; otherwise null. Minor units. */
export function leastMissing(currency: string, total: number): number | null {
  const least = leastCardAmount(currency);
  return total > 0 && total < least ? least : null;
}

/** The shortest time, in days, for which a bank holds the money of a method that is held. */
export const shortestHoldDays = 7;
const DAY = 24 * 60 * MINUTE;
/** Milliseconds that must be left of a hold at the deadline of the answer, to charge it while the provider is away. */
const margin = DAY;

/**
 * Whether money held at `now` is still held when the shop must have answered an order placed then. While the shop is
 * closed for longer, an order is charged when it is placed.
 */
export function canHoldUntilAnswer(store: Hours & Pick<Store, 'answer_minutes'>, now: Date): boolean {
  return answerDeadline(store, now).getTime() <= now.getTime() + shortestHoldDays * DAY - margin;
}
