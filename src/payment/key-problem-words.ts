import { m } from '#messages';
import type { KeyProblem } from '#database/column-types.ts';
import type { NotAKey } from '#payment/stripe-key.ts';
import { stripeRights, type StripeRightName } from '#payment/stripe-rights.ts';

/** `not_here`: the keys cannot be read on this machine; `no_address`: real cards, and the shop's address is not set. */
type ProblemKind = KeyProblem['kind'] | 'not_here' | 'no_address';

interface Problem {
  kind: ProblemKind;
  rights?: readonly string[];
}

/** A key's problem, in a sentence for the owner. */
export function problemWords({ kind, rights = [] }: Problem): string {
  if (kind !== 'missing_right') return words[kind]();
  return m.payment_keys_problem_missing_right({ count: rights.length, rights: rightsWords(rights) });
}

/** The provider's own words, where they are the reason; else null. */
export function saidWords({ said }: { said?: string | undefined }): string | null {
  return said ? m.payment_keys_said({ said }) : null;
}

/** `problemWords` of a key that has just been typed, and that the shop does not use yet. */
export function typedKeyWords(problem: Problem): string {
  return problem.kind === 'keys_refused' ? m.payment_setup_key_refused() : problemWords(problem);
}

/** A right as the page says it on which a key is made. */
export function rightWords(name: string): string {
  if (!isKnown(name)) return name;
  const { row, access } = stripeRights[name];
  return m.payment_keys_right({ row, access });
}

/** All of them, so that they are ticked at one go. */
export function rightsWords(names: readonly string[]): string {
  return names.map(rightWords).join(', ');
}

function isKnown(name: string): name is StripeRightName {
  return Object.hasOwn(stripeRights, name);
}

const words: Record<Exclude<ProblemKind, 'missing_right'>, () => string> = {
  keys_refused: () => m.payment_keys_problem_keys_refused(),
  address_refused: () => m.payment_keys_problem_address_refused(),
  not_activated: () => m.payment_keys_problem_not_activated(),
  not_here: () => m.payment_keys_problem_not_here(),
  some_pages_refused: () => m.payment_keys_problem_some_pages_refused(),
  pages_refused: () => m.payment_keys_problem_pages_refused(),
  no_address: () => m.payment_keys_problem_no_address(),
};

/** The name of a string that was typed instead of a key, and the place of the key. */
export const notAKeyWords: Record<NotAKey, () => string> = {
  publishable: () => m.payment_setup_key_publishable(),
  webhook_secret: () => m.payment_setup_key_webhook_secret(),
  account: () => m.payment_setup_key_account(),
  masked: () => m.payment_setup_key_masked(),
  unknown: () => m.payment_setup_key_unknown(),
};
