import type { PaymentMode } from '#database/column-values.ts';

/** The kind of a string that somebody typed as the shop's key at Stripe. */
export type StripeKeyKind =
  | { isUsable: true; mode: PaymentMode; isRestricted: boolean }
  | { isUsable: false; instead: WrongKeyKind };

/** The kind of a string that is no key: one of the strings that Stripe shows beside keys, or `unknown`. */
export type WrongKeyKind = 'publishable' | 'webhook_secret' | 'account' | 'masked' | 'unknown';

const usable = /^(sk|rk)_(test|live)_[A-Za-z0-9_]{1,250}$/;
const others: [Exclude<WrongKeyKind, 'unknown'>, RegExp][] = [
  ['masked', /^(sk|rk)_(test|live)_.*[.…•*]/],
  ['publishable', /^pk_/],
  ['webhook_secret', /^whsec_/],
  ['account', /^acct_/],
];

/**
 * Tells by the format whether a string can be a key. If it can, the result has the key's mode; if not, the kind of the
 * string (`instead`).
 */
export function readStripeKey(text: string): StripeKeyKind {
  const [, kind, mode] = usable.exec(text) ?? [];
  if (mode === 'test' || mode === 'live') return { isUsable: true, mode, isRestricted: kind === 'rk' };
  return { isUsable: false, instead: others.find(([, shape]) => shape.test(text))?.[0] ?? 'unknown' };
}
