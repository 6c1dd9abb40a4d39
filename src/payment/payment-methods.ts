/**
 * The offered payment methods, by Stripe's names. `heldDays`: how many days the money can be held until the shop
 * accepts the order. `heldDays` null: the money is charged when the order is placed, and refunded if the shop rejects
 * it. Other methods are not offered, because their money arrives days later or nobody has checked them. See
 * docs/decisions/card-holds.md.
 */
const methods = {
  // `card` also covers Apple Pay, Google Pay, and Link with a card.
  card: { heldDays: 7 },
  link: { heldDays: 7 },
  amazon_pay: { heldDays: 7 },
  revolut_pay: { heldDays: 7 },
  cashapp: { heldDays: 7 },
  mobilepay: { heldDays: 7 },
  afterpay_clearpay: { heldDays: 13 },
  klarna: { heldDays: 28 },
  affirm: { heldDays: 30 },

  alipay: { heldDays: null },
  bancontact: { heldDays: null },
  blik: { heldDays: null },
  eps: { heldDays: null },
  grabpay: { heldDays: null },
  ideal: { heldDays: null },
  p24: { heldDays: null },
  pay_by_bank: { heldDays: null },
  paynow: { heldDays: null },
  paypal: { heldDays: null },
  pix: { heldDays: null },
  promptpay: { heldDays: null },
  satispay: { heldDays: null },
  swish: { heldDays: null },
  twint: { heldDays: null },
  wechat_pay: { heldDays: null },
} as const satisfies Record<string, { heldDays: number | null }>;

type Methods = typeof methods;
export type OnlinePaymentMethod = keyof Methods;
export type HoldableMethod = {
  [K in OnlinePaymentMethod]: Methods[K]['heldDays'] extends number ? K : never;
}[OnlinePaymentMethod];

const DAY = 24 * 60 * 60_000;
export const onlinePaymentMethods = Object.keys(methods).filter(isTaken);
export const holdableMethods = onlinePaymentMethods.filter(isHeld);

/**
 * The number of days for which a method's money is held, as Stripe documents it; null: the money is charged at once.
 */
export function daysOfHold(method: string): number | null {
  return isTaken(method) ? methods[method].heldDays : null;
}

/** When a hold that began at `from` ends, for a provider that does not report it. null: the method holds no money. */
export function holdEndAt(method: string, from: Date): Date | null {
  const days = daysOfHold(method);
  return days === null ? null : new Date(from.getTime() + days * DAY);
}

function isTaken(method: string): method is OnlinePaymentMethod {
  return Object.hasOwn(methods, method);
}

function isHeld(method: OnlinePaymentMethod): method is HoldableMethod {
  return methods[method].heldDays !== null;
}
