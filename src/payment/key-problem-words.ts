import { m } from '#messages';
import type { KeyProblem } from '#database/column-types.ts';
import type { WrongKeyKind } from '#payment/stripe-key.ts';
import { stripeRights, type StripeRightName } from '#payment/stripe-rights.ts';

/**
 * `not_here`: the keys cannot be read on this machine. `no_address`: the keys are live, and the shop's public address
 * is not set.
 */
type ProblemKind = KeyProblem['kind'] | 'not_here' | 'no_address';

interface Problem {
  kind: ProblemKind;
  rights?: readonly string[];
}

export function keyProblemWords({ kind, rights = [] }: Problem): string {
  if (kind !== 'missing_right') return words[kind]();
  return m.payment_keys_problem_missing_right({ count: rights.length, rights: keyPermissionListWords(rights) });
}

export function providerMessageWords({ said }: { said?: string | undefined }): string | null {
  return said ? m.payment_keys_said({ said }) : null;
}

/** Like `keyProblemWords`, for a key that was just typed and is not in use yet. */
export function enteredKeyProblemWords(problem: Problem): string {
  return problem.kind === 'keys_refused' ? m.payment_setup_key_refused() : keyProblemWords(problem);
}

/** A right's name, as Stripe's form for a new key shows it. */
export function keyPermissionWords(name: string): string {
  if (!isKnown(name)) return name;
  const { row, access } = stripeRights[name];
  return m.payment_keys_right({ row, access });
}

/** The names of all rights in one list, so that the owner can add all of them at once. */
export function keyPermissionListWords(names: readonly string[]): string {
  return names.map(keyPermissionWords).join(', ');
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

/**
 * The error text for each kind of string that was typed instead of a key. The text names the kind, and says where to
 * find the key.
 */
export const wrongKeyWords: Record<WrongKeyKind, () => string> = {
  publishable: () => m.payment_setup_key_publishable(),
  webhook_secret: () => m.payment_setup_key_webhook_secret(),
  account: () => m.payment_setup_key_account(),
  masked: () => m.payment_setup_key_masked(),
  unknown: () => m.payment_setup_key_unknown(),
};
