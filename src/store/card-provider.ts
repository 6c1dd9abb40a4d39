import type { FulfilmentType, PaymentMethod, Store } from '#store/contract.ts';
import { answerDeadline } from '#store/slots.ts';
import type { OpeningHours } from '#store/opening-hours.ts';
import type { KeyedCardProviderName } from '#platform/card-providers.ts';
import { minorDigits } from '#platform/money.ts';
import { MINUTE } from '#platform/zone-clock.ts';

export interface CardKeyColumns {
  /** The provider of the shop's keys; null without keys, or while customers cannot pay with them. */
  card_provider: KeyedCardProviderName | null;
  /** Whether the shop has card keys, even unusable ones, or ever had live keys. The sandbox is then never used. */
  has_card_keys: boolean;
}

/**
 * Returns a shop's card provider: the provider of its keys, otherwise the sandbox, otherwise none. The sandbox needs a
 * demo shop or PAYMENT_SANDBOX=1, whatever NODE_ENV is. The sandbox never replaces unusable keys, because the orders
 * would stay unpaid.
 */
export function cardProviderFor(
  { card_provider, has_card_keys, is_demo, currency }: CardKeyColumns & { is_demo: boolean; currency: string },
  { PAYMENT_SANDBOX }: { PAYMENT_SANDBOX: boolean },
): Store['card_provider'] {
  if (card_provider !== null || has_card_keys) return isCardCurrency(currency) ? card_provider : null;
  return is_demo || PAYMENT_SANDBOX ? 'sandbox' : null;
}

/**
 * Currencies in which Stripe's amounts have no decimals. Its amounts in all other currencies have two, including the
 * króna and the Ugandan shilling.
 */
const noDecimalsAtStripe = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '));

/**
 * Whether Stripe's minor units of a currency equal the shop's. False for currencies with three decimals, because Stripe
 * accepts only two.
 */
export function isCardCurrency(currency: string): boolean {
  return minorDigits(currency) === (noDecimalsAtStripe.has(currency) ? 0 : 2);
}

/** Stripe's documented minimum charges in minor units. The sandbox applies them as well. */
const minCharges: Readonly<Record<string, number>> = {
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
 * Other currencies, keyed by their minimum charge in whole units. Stripe's minimum is the equivalent of 50 US cents.
 * These charges are about 1.5 times as high, because exchange rates change.
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
/** The minimum charge, in minor units, of a currency that is neither in `minCharges` nor in `equivalents`. */
const usualLeast = 100;

/**
 * The minimum of a card payment, in the currency's minor units. It does not apply to a free order, which is not
 * charged.
 */
export function minCardAmount(currency: string): number {
  return minCharges[currency] ?? equivalents.get(currency) ?? usualLeast;
}

/** Returns the card minimum if `total` is below it and not 0; otherwise null. Amounts are in minor units. */
export function unmetChargeMinimum(currency: string, total: number): number | null {
  const least = minCardAmount(currency);
  return total > 0 && total < least ? least : null;
}

/**
 * The shortest time, in days, for which a payment method holds authorised money. Methods that cannot hold money do not
 * count.
 */
export const shortestHoldDays = 7;
const DAY = 24 * 60 * MINUTE;
/** Milliseconds by which a hold must outlast the deadline of the shop's answer, in case the provider has an outage. */
const margin = DAY;

/**
 * Whether a hold made at `now` outlasts the deadline of the shop's answer. If it does not, as during a long closure,
 * the card is charged when the order is placed.
 */
export function canHoldUntilAnswer(store: OpeningHours & Pick<Store, 'answer_minutes'>, now: Date): boolean {
  return answerDeadline(store, now).getTime() <= now.getTime() + shortestHoldDays * DAY - margin;
}

type PayingStore = Pick<Store, 'payment_methods' | 'card_provider' | 'currency'>;

/**
 * Returns the available payment methods for `total` (minor units; null: unknown). A card needs a provider, and a total
 * that is unknown, 0 or at least the card minimum.
 */
export function offeredPaymentMethods(
  store: PayingStore,
  fulfilment: FulfilmentType,
  total: number | null,
): PaymentMethod[] {
  return store.payment_methods[fulfilment].filter(
    (method) =>
      method !== 'card' ||
      (store.card_provider !== null && (total === null || unmetChargeMinimum(store.currency, total) === null)),
  );
}

/** The card minimum if the shop takes cards and `total` is below it, in minor units; otherwise null. */
export function unmetCardMinimumOfStore(
  store: PayingStore,
  fulfilment: FulfilmentType,
  total: number | null,
): number | null {
  const takesCards = store.card_provider !== null && store.payment_methods[fulfilment].includes('card');
  return takesCards && total !== null ? unmetChargeMinimum(store.currency, total) : null;
}
