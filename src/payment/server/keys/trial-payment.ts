import { randomUUIDv7 } from 'node:crypto';
import type { Stripe } from 'stripe';
import { m } from '#messages';
import type { KeyTrial } from '#database/column-types.ts';
import type { Db, Tx } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import { lockKeySets } from '#payment/server/keys/activate-key.ts';
import { announceKeySetChange, type KeySet } from '#payment/server/keys/key-sets.ts';
import { readProbePage } from '#payment/server/keys/read-probe-page.ts';
import type { KeyServices } from '#payment/server/keys/services.ts';
import { IdempotencyKeySpent, ProviderKeysRefused, ProviderRefusal } from '#payment/server/provider.ts';
import { askStripeSerially, askStripe } from '#payment/server/stripe/ask-stripe.ts';
import { type ProbePage, openProbePage } from '#payment/server/stripe/open-probe-page.ts';
import { stripeMetadataNames } from '#payment/server/stripe/read-session.ts';
import { AppError } from '#platform/errors.ts';
import { isCardCurrency, minCardAmount } from '#store/card-provider.ts';

/** The shortest time, in milliseconds, between two checks of an unpaid trial; an older trial is checked less often. */
const pollIntervalMs = 4_000;
/** Milliseconds after which a trial is given up if Stripe has not answered the call that makes its payment. */
const trialTimeoutMs = 2 * 60_000;

/**
 * Tries the current keys: opens and closes a probe page, then makes a payment of the minimum amount and refunds it. In
 * test mode Stripe's test card pays; otherwise the owner pays on Stripe's page. An unfinished trial continues, so that
 * two taps make one payment. `returnUrl`: the page to which Stripe's page leads back. Throws `conflict` without keys or
 * for a currency without card payments, and the errors of `askStripe`.
 */
export async function startTrialPayment(services: KeyServices, returnUrl: string): Promise<void> {
  const set = services.keySets.current();
  if (!set) throw new AppError('conflict', m.payment_setup_no_keys());
  const currency = await shopCurrency(services);
  if (!isCardCurrency(currency)) throw new AppError('conflict', m.store_card_currency({ currency }));
  const before = await readTrial(services.db, set.id);
  if (before && isGoing(before) && before.reference !== null) {
    const { state } = await continueTrialPayment(services, set, before);
    if (state !== 'abandoned' && state !== 'failed') return;
  }
  const trial = await beginTrial(services, set.id, currency);
  if (trial.reference !== null) return;
  const page = await readProbePage(services);
  const begun = await payTrial(set, trial, { page, returnUrl }).catch(async (error: unknown) => {
    // No payment was made, so the trial ends, and the check of the keys does not wait for it.
    const isRefused = error instanceof ProviderKeysRefused || error instanceof ProviderRefusal;
    if (isRefused) await saveTrial(services, set.id, { ...trial, state: 'failed' });
    throw error;
  });
  await saveTrial(services, set.id, begun);
  if (begun.state === 'paid') await continueTrialPayment(services, set, begun);
}

async function payTrial(
  set: KeySet,
  trial: KeyTrial,
  { page, returnUrl }: { page: ProbePage; returnUrl: string },
): Promise<KeyTrial> {
  await openProbePage(set.stripe, page);
  return set.mode === 'test' ? payByTestCard(set, trial) : openPage(set, trial, returnUrl);
}

async function shopCurrency({ db, menus }: KeyServices): Promise<string> {
  return (await menus.store(db))?.store.currency ?? 'GBP';
}

/**
 * The unfinished trial, or a new one. The trial is stored before Stripe is asked, so that two taps use one idempotency
 * key.
 */
async function beginTrial(services: KeyServices, id: string, currency: string): Promise<KeyTrial> {
  return inTransaction(services.db, async (tx) => {
    await lockKeySets(tx);
    const known = await readTrial(tx, id);
    if (known && isGoing(known)) return known;
    const trial: KeyTrial = {
      id: randomUUIDv7(),
      reference: null,
      redirect_url: null,
      amount: minCardAmount(currency),
      currency,
      state: 'open',
      at: services.now().toISOString(),
    };
    await writeTrial(tx, services, id, trial);
    return trial;
  });
}

/** Reads a trial's state at Stripe, refunds the trial once it is paid, and returns the updated trial. */
export async function continueTrialPayment(services: KeyServices, set: KeySet, trial: KeyTrial): Promise<KeyTrial> {
  const seen = await lookAtTrial(set, trial, services.now());
  if (seen.state !== trial.state) await saveTrial(services, set.id, seen);
  if (seen.state !== 'paid') {
    if (seen.state === 'open') await setNextCheck(services, set.id, seen);
    return seen;
  }
  await refundTrial(services, set, seen);
  const done: KeyTrial = { ...seen, state: 'refunded', redirect_url: null };
  await saveTrial(services, set.id, done);
  return done;
}

/**
 * Refunds a trial, unless an earlier call whose answer was lost has refunded it. Stripe repeats a failure for the same
 * idempotency key, so the key changes each minute.
 */
async function refundTrial({ now }: KeyServices, { stripe }: KeySet, trial: KeyTrial): Promise<void> {
  const intent = await intentOf(stripe, trial);
  const made = await askStripe(stripe.refunds.list({ payment_intent: intent, limit: 10 }));
  if (made.data.some(({ status }) => status !== 'failed' && status !== 'canceled')) return;
  const minute = Math.floor(now().getTime() / 60_000);
  await askStripeSerially(() =>
    stripe.refunds.create(
      { payment_intent: intent, metadata: { [stripeMetadataNames.trial]: trial.id } },
      { idempotencyKey: `trial:${trial.id}:refund:${minute}` },
    ),
  );
}

async function payByTestCard({ stripe }: KeySet, trial: KeyTrial): Promise<KeyTrial> {
  try {
    const intent = await askStripeSerially(() =>
      stripe.paymentIntents.create(
        {
          amount: trial.amount,
          currency: trial.currency.toLowerCase(),
          payment_method: 'pm_card_visa',
          automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
          confirm: true,
          description: m.payment_setup_trial_name(),
          metadata: { [stripeMetadataNames.trial]: trial.id },
        },
        { idempotencyKey: `trial:${trial.id}:pay` },
      ),
    );
    return { ...trial, reference: intent.id, state: intent.status === 'succeeded' ? 'paid' : 'failed' };
  } catch (error) {
    if (error instanceof ProviderRefusal || error instanceof IdempotencyKeySpent) return { ...trial, state: 'failed' };
    throw error;
  }
}

async function openPage({ stripe }: KeySet, trial: KeyTrial, returnUrl: string): Promise<KeyTrial> {
  const metadata = { [stripeMetadataNames.trial]: trial.id };
  const name = m.payment_setup_trial_name();
  const session = await askStripeSerially(() =>
    stripe.checkout.sessions.create(
      {
        mode: 'payment',
        line_items: [
          {
            quantity: 1,
            price_data: {
              currency: trial.currency.toLowerCase(),
              unit_amount: trial.amount,
              product_data: { name },
            },
          },
        ],
        adaptive_pricing: { enabled: false },
        allowed_payment_method_types: ['card'],
        payment_intent_data: { description: name, metadata },
        metadata,
        success_url: returnUrl,
        cancel_url: returnUrl,
      },
      { idempotencyKey: `trial:${trial.id}:pay` },
    ),
  );
  return { ...trial, reference: session.id, redirect_url: session.url };
}

async function lookAtTrial({ stripe }: KeySet, trial: KeyTrial, now: Date): Promise<KeyTrial> {
  const isLost = trial.reference === null && now.getTime() - Date.parse(trial.at) > trialTimeoutMs;
  if (trial.state === 'open' && isLost) return { ...trial, state: 'failed' };
  if (trial.state !== 'open' || !trial.reference?.startsWith('cs_')) return trial;
  const session = await askStripe(stripe.checkout.sessions.retrieve(trial.reference));
  if (session.payment_status === 'paid') return { ...trial, state: 'paid', redirect_url: null };
  return session.status === 'expired' ? { ...trial, state: 'abandoned', redirect_url: null } : trial;
}

async function intentOf(stripe: Stripe, { reference }: KeyTrial): Promise<string> {
  if (reference === null) throw new Error('the trial payment was never made');
  if (!reference.startsWith('cs_')) return reference;
  const { payment_intent: intent } = await askStripe(stripe.checkout.sessions.retrieve(reference));
  if (!intent) throw new Error(`nobody has paid on the page ${reference}`);
  return typeof intent === 'string' ? intent : intent.id;
}

async function readTrial(db: Db, id: string): Promise<KeyTrial | null> {
  const row = await db.selectFrom('payment_key_sets').select('trial').where('id', '=', id).executeTakeFirst();
  return row?.trial ?? null;
}

/** Stores a trial, unless the stored trial has a later state, or another trial has replaced it. */
async function saveTrial(services: KeyServices, id: string, trial: KeyTrial): Promise<void> {
  await inTransaction(services.db, async (tx) => {
    await lockKeySets(tx);
    const before = await readTrial(tx, id);
    if (before && (before.id !== trial.id || rank[before.state] > rank[trial.state])) return;
    await writeTrial(tx, services, id, trial);
  });
}

async function writeTrial(tx: Tx, { now }: KeyServices, id: string, trial: KeyTrial): Promise<void> {
  await tx
    .updateTable('payment_key_sets')
    .set({
      trial: JSON.stringify(trial),
      check_at: new Date(now().getTime() + (isGoing(trial) ? pollIntervalMs : 0)),
    })
    .where('id', '=', id)
    .execute();
  await announceKeySetChange(tx);
}

function isGoing({ state }: KeyTrial): boolean {
  return state === 'open' || state === 'paid';
}

const rank: Record<KeyTrial['state'], number> = { open: 0, paid: 1, abandoned: 2, failed: 2, refunded: 2 };

async function setNextCheck({ db, now }: KeyServices, id: string, { at }: KeyTrial): Promise<void> {
  const wait = Math.max(pollIntervalMs, (now().getTime() - Date.parse(at)) / 10);
  await db
    .updateTable('payment_key_sets')
    .set({ check_at: new Date(now().getTime() + wait) })
    .where('id', '=', id)
    .execute();
}
