import type { Store } from '#store/contract.ts';
import { answerDeadline } from '#store/slots.ts';
import type { Hours } from '#store/sessions.ts';
import { minorDigits } from '#platform/money.ts';
import { MINUTE } from '#platform/zone-clock.ts';

/** What a shop's keys at a real card provider mean for its stores: two columns of them. */
export interface CardKeys {
  /** null: there are no keys, or customers cannot pay with them now. */
  card_provider: 'stripe' | null;
  /** Also while they cannot be used, and for good once they were of real cards. */
  has_card_keys: boolean;
}

/**
 * The card provider of a shop: the real one whose keys it has, else the sandbox, else none, so that it offers no card.
 * The sandbox moves no money, so it needs a demo shop or PAYMENT_SANDBOX=1, and never depends on NODE_ENV. It does not take
 * the place of keys that cannot be used: orders would be paid by nobody.
 */
export function cardProviderFor(
  { card_provider, has_card_keys, is_demo, currency }: CardKeys & { is_demo: boolean; currency: string },
  { PAYMENT_SANDBOX }: { PAYMENT_SANDBOX: boolean },
): Store['card_provider'] {
  if (card_provider !== null || has_card_keys) return isCardCurrency(currency) ? card_provider : null;
  return is_demo || PAYMENT_SANDBOX ? 'sandbox' : null;
}

/** Currencies that Stripe counts without decimals; others have two, also the króna and the Ugandan shilling. */
const noDecimalsAtStripe = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '));

/**
 * Whether Stripe counts an amount as we do: elsewhere it would charge a hundredth. Of three decimals it takes only two, so
 * those are left out as well.
 */
export function isCardCurrency(currency: string): boolean {
  return minorDigits(currency) === (noDecimalsAtStripe.has(currency) ? 0 : 2);
}

/** The least that Stripe charges a card, in minor units; the sandbox has the same. */
const leastCharges: Readonly<Record<string, number>> = {
  AED: 200,
  BGN: 100,
  CZK: 1500,
  DKK: 250,
  GBP: 30,
  HKD: 400,
  HUF: 175,
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
