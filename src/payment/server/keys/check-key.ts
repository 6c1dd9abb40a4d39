import { Stripe } from 'stripe';
import type { PaymentMode } from '#database/column-values.ts';
import type { KeyProblem } from '#database/column-types.ts';
import { ProviderKeysRefused, ProviderRefusal } from '#payment/server/provider.ts';
import { type ProbePage, openProbePage } from '#payment/server/stripe/open-probe-page.ts';
import { type StripeRightName, stripeRightNames } from '#payment/stripe-rights.ts';

export interface ProviderKeyFacts {
  /** The id of the account; null: the key is unusable, or has no right to read the account. */
  account: string | null;
  accountName: string | null;
  missing: StripeRightName[];
  /** The problem that prevents the use of the key; null: none. */
  problem: FoundKeyProblem | null;
}

export type FoundKeyProblem = Omit<KeyProblem, 'since'>;

/** An id that no object at Stripe can have. */
const none = 'hatch_none';

/**
 * A call for each right. The call needs the right and changes nothing, because it reads, or names an object that does
 * not exist.
 */
const calls: Record<StripeRightName, (stripe: Stripe) => Promise<unknown>> = {
  rak_checkout_session_write: (stripe) => stripe.checkout.sessions.expire(`cs_${none}`),
  rak_payment_intent_write: (stripe) => stripe.paymentIntents.cancel(`pi_${none}`),
  rak_charge_write: (stripe) => stripe.refunds.create({ payment_intent: `pi_${none}` }),
  rak_customer_write: (stripe) => stripe.customers.del(`cus_${none}`),
  rak_coupon_write: (stripe) => stripe.coupons.del(none),
  rak_dispute_read: (stripe) => stripe.disputes.list({ limit: 1 }),
  rak_payout_read: (stripe) => stripe.payouts.list({ limit: 1 }),
  rak_balance_transaction_source_read: (stripe) => stripe.balanceTransactions.list({ limit: 1 }),
  rak_webhook_write: (stripe) => stripe.webhookEndpoints.del(`we_${none}`),
};

/**
 * Tries each right that the shop needs, because no call lists a key's rights. Then opens and closes a page as a probe,
 * because pages may need further rights. Throws when Stripe does not answer.
 */
export async function checkProviderKey(stripe: Stripe, mode: PaymentMode, page: ProbePage): Promise<ProviderKeyFacts> {
  const account = await readAccount(stripe);
  if (isUnusable(account)) return unusable(account);
  const answers = await Promise.all(stripeRightNames.map((right) => tryCall(calls[right](stripe))));
  const refused = answers.find(isUnusable);
  if (refused) return unusable(refused);
  const missing = stripeRightNames.filter((_right, index) => answers[index] === 'missing_right');
  const known = problemOf(missing, mode, account);
  // With a known problem no page is opened, because its refusal would reveal nothing new.
  const refusal = known ? null : await refusalOfPage(stripe, page);
  const unlisted = refusal && stripeRightNames.find((right) => right === parseMissingRight(refusal.said));
  const all = unlisted ? [unlisted] : missing;
  return {
    account: account?.id ?? null,
    accountName: account ? nameOf(account) : null,
    missing: all,
    problem: known ?? problemOf(all, mode, account) ?? refusal,
  };
}

/**
 * Opens the probe page; null: the page opened. `some_pages_refused`: only a plain page, without a discount, opened.
 * `pages_refused`: the plain page was refused too.
 */
async function refusalOfPage(stripe: Stripe, page: ProbePage): Promise<(FoundKeyProblem & { said: string }) | null> {
  const refused = await refusalOf(openProbePage(stripe, page));
  if (refused === null) return null;
  const plain = await refusalOf(openProbePage(stripe, page, { isPlain: true }));
  return plain === null
    ? { kind: 'some_pages_refused', said: refused.said }
    : { kind: 'pages_refused', said: plain.said };
}

async function refusalOf(page: Promise<void>): Promise<ProviderRefusal | ProviderKeysRefused | null> {
  try {
    await page;
    return null;
  } catch (error) {
    if (error instanceof ProviderRefusal || error instanceof ProviderKeysRefused) return error;
    throw error;
  }
}

type Unusable = 'keys_refused' | 'address_refused';
type Refused = Unusable | 'missing_right';

function problemOf(
  rights: StripeRightName[],
  mode: PaymentMode,
  account: Stripe.Account | null,
): FoundKeyProblem | null {
  if (rights.length > 0) return { kind: 'missing_right', rights };
  return mode === 'live' && account?.charges_enabled === false ? { kind: 'not_activated' } : null;
}

function isUnusable(answer: unknown): answer is Unusable {
  return answer === 'keys_refused' || answer === 'address_refused';
}

function unusable(kind: Unusable): ProviderKeyFacts {
  return { account: null, accountName: null, missing: [], problem: { kind } };
}

/** The key's account, or the reason why the key is unusable. null: the key has no right to read its account. */
async function readAccount(stripe: Stripe): Promise<Stripe.Account | null | Unusable> {
  let account: Stripe.Account | null = null;
  const answer = await tryCall(
    stripe.accounts.retrieveCurrent().then((found) => {
      account = found;
    }),
  );
  return answer === null || answer === 'missing_right' ? account : answer;
}

/** Makes a call and returns how Stripe refused the key; null: the key has the right. */
async function tryCall(call: Promise<unknown>): Promise<Refused | null> {
  try {
    await call;
    return null;
  } catch (error) {
    const refused = classifyKeyRefusal(error);
    if (refused) return refused;
    const isAnswer = error instanceof Stripe.errors.StripeInvalidRequestError;
    if (isAnswer && (error.statusCode === 400 || error.statusCode === 404)) return null;
    throw error;
  }
}

/** How Stripe refused the key, by its error; null: the error has another cause. */
export function classifyKeyRefusal(error: unknown): Refused | null {
  if (!(error instanceof Stripe.errors.StripeError)) return null;
  if (error.statusCode !== 401 && error.statusCode !== 403) return null;
  if (parseMissingRight(error.message)) return 'missing_right';
  if (/\bIP\b/.test(error.message)) return 'address_refused';
  return error.statusCode === 403 ? 'missing_right' : 'keys_refused';
}

/** The right that Stripe's message names as missing: "Having the 'rak_charge_write' permission would allow …". */
export function parseMissingRight(message: string): string | null {
  return /'(rak_\w+)'/.exec(message)?.[1] ?? null;
}

function nameOf({ business_profile, settings, email }: Stripe.Account): string | null {
  return settings?.dashboard.display_name || business_profile?.name || email || null;
}
