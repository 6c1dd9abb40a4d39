import { Stripe } from 'stripe';
import { m } from '#messages';
import type { Db, Tx } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import {
  activateKey,
  findKeySetOfKey,
  hashCardKey,
  type KeyToActivate,
  retireCurrentKey,
} from '#payment/server/keys/activate-key.ts';
import { checkKeySetNow } from '#payment/server/keys/check-key-sets.ts';
import { readProbePage } from '#payment/server/keys/read-probe-page.ts';
import { readCardPaymentState, readPaymentSetup, presentKeyProblem } from '#payment/server/keys/present-setup.ts';
import type { KeyServices } from '#payment/server/keys/services.ts';
import { startTrialPayment } from '#payment/server/keys/trial-payment.ts';
import { type ProviderKeyFacts, checkProviderKey } from '#payment/server/keys/check-key.ts';
import { IdempotencyKeySpent, ProviderKeysRefused, ProviderRefusal } from '#payment/server/provider.ts';
import { wrongKeyWords, enteredKeyProblemWords } from '#payment/key-problem-words.ts';
import type { paymentSetupEndpoints } from '#payment/setup-contract.ts';
import { readStripeKey } from '#payment/stripe-key.ts';
import { stripeRightNames, stripeRights } from '#payment/stripe-rights.ts';
import { AppError, invalidFieldError } from '#platform/errors.ts';
import type { HandlerInput, Handlers } from '#platform/http/serve.ts';
import { isStaffOf } from '#platform/http/viewer.ts';

type SetupCall<K extends keyof typeof paymentSetupEndpoints> = HandlerInput<typeof paymentSetupEndpoints, K, Db, Tx>;

export function paymentSetupHandlers(services: KeyServices): Handlers<typeof paymentSetupEndpoints, Db, Tx> {
  const { keySets } = services;
  const shown = async ({ db, now }: { db: Db; now: Date }) => ({ data: await readPaymentSetup(db, services, now) });
  return {
    'GET /v1/stores/{id}/card-payments': async ({ db, params, viewer }) => {
      const known = await services.menus.store(db, params.id);
      if (!known) throw new AppError('not_found', m.store_not_found());
      if (!isStaffOf(viewer, known.store.id)) throw new AppError('forbidden', m.platform_forbidden());
      return { data: await readCardPaymentState(db, services, known.store.id) };
    },

    'GET /v1/payments/setup': shown,

    'POST /v1/payments/setup/check': async ({ db, body }) => {
      const { key, facts } = await examine(services, body.secret_key);
      const joined = await asking(
        services,
        findKeySetOfKey(db, key, hashCardKey(key.secretKey), keySets.openStripe(key.secretKey)),
      );
      return {
        data: {
          mode: key.mode,
          is_restricted: key.isRestricted,
          account: facts.account,
          account_name: facts.accountName,
          rights: stripeRightNames.map((name) => ({
            name,
            ...stripeRights[name],
            is_given: !facts.missing.includes(name),
          })),
          problem: facts.problem && presentKeyProblem(facts.problem),
          joins: joined !== null,
        },
      };
    },

    'POST /v1/payments/setup': async (call) => {
      await setUp(services, call);
      return shown(call);
    },

    'DELETE /v1/payments/setup': async (call) => {
      refuseEnvironment(services);
      const isRetired = await retireCurrentKey(services, (tx) => call.audit(tx));
      if (!isRetired) throw new AppError('conflict', m.payment_setup_no_keys());
      return shown(call);
    },

    'POST /v1/payments/setup/trial': async (call) => {
      const { config } = services;
      const origin = config.APP_URL === undefined ? call.ownOrigin() : config.publicUrl;
      await asking(services, startTrialPayment(services, `${origin}/admin/payments/setup`));
      await inTransaction(call.db, (tx) => call.audit(tx));
      return shown(call);
    },

    'POST /v1/payments/setup/webhook': async (call) => {
      const set = keySets.current();
      if (!set) throw new AppError('conflict', m.payment_setup_no_keys());
      await asking(services, checkKeySetNow(services, set.id));
      await inTransaction(call.db, (tx) => call.audit(tx));
      return shown(call);
    },
  };
}

async function setUp(services: KeyServices, { body, audit }: SetupCall<'POST /v1/payments/setup'>): Promise<void> {
  refuseEnvironment(services);
  const { key, facts } = await examine(services, body.secret_key);
  if (facts.problem) throw invalidFieldError('secret_key', enteredKeyProblemWords(facts.problem));
  if (services.keySets.current()?.mode === 'live' && key.mode === 'test' && !body.is_test_wanted) {
    throw new AppError('conflict', m.payment_setup_back_to_test());
  }
  const id = await asking(
    services,
    activateKey(services, { ...key, facts }, (tx) => audit(tx)),
  );
  await checkKeySetNow(services, id).catch((error: unknown) =>
    services.log.warn(
      { err: error, key_set: id },
      'the messages of Stripe could not be asked for; it will be tried again',
    ),
  );
}

type UsableKey = Omit<KeyToActivate, 'facts'> & { isRestricted: boolean };

/**
 * Reads and checks a typed key. Throws `invalidFieldError` for a string that is no key, and for a live key while
 * STRIPE_API_BASE names a simulator of Stripe. Throws `payment_unavailable` if Stripe does not answer.
 */
async function examine(services: KeyServices, secretKey: string): Promise<{ key: UsableKey; facts: ProviderKeyFacts }> {
  const read = readStripeKey(secretKey);
  if (!read.isUsable) throw invalidFieldError('secret_key', wrongKeyWords[read.instead]());
  if (read.mode === 'live' && services.config.STRIPE_API_BASE !== undefined) {
    throw invalidFieldError('secret_key', m.payment_setup_live_key_locally());
  }
  const key = { secretKey, mode: read.mode, source: 'typed' as const, isRestricted: read.isRestricted };
  const checking = checkProviderKey(services.keySets.openStripe(secretKey), read.mode, await readProbePage(services));
  return { key, facts: await asking(services, checking) };
}

function refuseEnvironment({ config }: KeyServices): void {
  if (config.STRIPE_SECRET_KEY !== undefined) throw new AppError('conflict', m.payment_setup_environment());
}

/** Awaits a call to Stripe, and converts its errors to errors that the owner can read. */
async function asking<T>({ log }: KeyServices, call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ProviderKeysRefused) throw new AppError('conflict', m.payment_setup_refused());
    if (error instanceof ProviderRefusal) {
      throw new AppError('conflict', m.payment_setup_said({ reason: error.said }));
    }
    const isAway = error instanceof Stripe.errors.StripeError || error instanceof IdempotencyKeySpent;
    if (!isAway) throw error;
    log.warn({ err: error }, 'Stripe could not be asked');
    throw new AppError('payment_unavailable', m.payment_setup_no_answer());
  }
}
