import type { FulfilmentType, PaymentMethod, Store } from '#store/contract.ts';
import { answerDeadline } from '#store/slots.ts';
import type { Hours } from '#store/opening-hours.ts';
import type { KeyedProviderName } from '#platform/card-providers.ts';
import { minorDigits } from '#platform/money.ts';
import { MINUTE } from '#platform/zone-clock.ts';

/** A store's two columns about the shop's keys at a real card provider. */
export interface CardKeys {
  /** null: there are no keys, or customers cannot pay with them now. */
  card_provider: KeyedProviderName | null;
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

/** The least that Stripe charges a card, in minor units, as its documentation lists it; the sandbox has the same. */
const leastCharges: Readonly<Record<string, number>> = {
  AED: 200,
  AUD: 50,
  BGN: 100,
  BRL: 50,
  CAD: 50,
  CHF: 50,
  CZK: 1500,
  DKK: 250,
  EUR: 50,
  GBP: 30,
  HKD: 400,
  HUF: 175,
  INR: 50,
  JPY: 50,
  MXN: 1000,
  MYR: 200,
  NOK: 300,
  NZD: 50,
  PLN: 200,
  RON: 200,
  SEK: 300,
  SGD: 50,
  THB: 1000,
  USD: 50,
};

/**
 * In other currencies the least is worth 50 US cents on the day. Amounts, in whole units, that were worth about one and a half
 * times that when they were written down: a rate may move without a page being refused.
 */
const worthTheLeast: Readonly<Record<number, string>> = {
  1: 'BMD BND BSD FKP GIP KYD PAB SHP WST',
  2: 'ANG AWG AZN BAM BBD BYN BZD FJD GEL TOP XCD XCG',
  3: 'ILS PEN PGK QAR SAR TMT',
  6: 'BOB CNY GTQ MOP SBD SVC TTD',
  8: 'MAD TJS',
  10: 'BWP GHS',
  14: 'LSL MDL MVR NAD SCR SZL ZAR',
  20: 'HNL SLE STN ZMW',
  25: 'TWD',
  30: 'MRU NIO SRD UAH UYU',
  40: 'EGP MKD MUR PHP',
  60: 'DOP GMD MZN RUB TRY',
  80: 'BTN CVE KGS RSD XPF',
  100: 'BDT HTG KES VUV',
  120: 'DZD ETB JMD NPR',
  150: 'DJF GYD LRD',
  300: 'AMD KMF LKR',
  400: 'CRC KZT',
  450: 'XAF XOF',
  700: 'AOA CLP',
  1100: 'KRW RWF',
  1300: 'MWK NGN',
  2000: 'ARS CDF TZS',
  3000: 'BIF KHR MNT',
  3500: 'MGA',
  6000: 'PYG',
  7000: 'GNF',
  10000: 'UZS',
  20000: 'VND',
};
const equivalents = new Map(
  Object.entries(worthTheLeast).flatMap(([units, currencies]) =>
    currencies.split(' ').map((currency) => [currency, Number(units) * 10 ** minorDigits(currency)] as const),
  ),
);
/** Of a currency that Stripe did not have when this was written. */
const usualLeast = 100;

/** The least that is paid by card, in minor units of a currency. An order that costs nothing is not charged at all. */
export function minCardAmount(currency: string): number {
  return leastCharges[currency] ?? equivalents.get(currency) ?? usualLeast;
}

/** The least amount, if `total` is below it and costs something; otherwise null. Minor units. */
export function missingMinimum(currency: string, total: number): number | null {
  const least = minCardAmount(currency);
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

type PayingStore = Pick<Store, 'payment_methods' | 'card_provider' | 'currency'>;

/**
 * The payment methods that a customer can really use for an order of `total` (minor units; null: not known yet): a card
 * needs a provider, and the provider's least amount.
 */
export function offeredMethods(store: PayingStore, fulfilment: FulfilmentType, total: number | null): PaymentMethod[] {
  return store.payment_methods[fulfilment].filter(
    (method) =>
      method !== 'card' ||
      (store.card_provider !== null && (total === null || missingMinimum(store.currency, total) === null)),
  );
}

/**
 * The least amount that is paid by card where the shop takes cards and `total` is below it, in minor units; otherwise
 * null.
 */
export function cardMinimum(store: PayingStore, fulfilment: FulfilmentType, total: number | null): number | null {
  const takesCards = store.card_provider !== null && store.payment_methods[fulfilment].includes('card');
  return takesCards && total !== null ? missingMinimum(store.currency, total) : null;
}
