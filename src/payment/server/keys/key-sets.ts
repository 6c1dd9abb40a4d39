import type { KeyProblem } from '#database/column-types.ts';
import type { FastifyBaseLogger } from 'fastify';
import type { Selectable } from 'kysely';
import type Stripe from 'stripe';
import type { Db, PaymentKeySetsTable, Tx } from '#database/schema.ts';
import { announceSettingsChange, type SettingsWatch } from '#database/listen.ts';
import { ProviderKeysRefused } from '#payment/server/provider.ts';
import { preventsCardPayments } from '#payment/stripe-rights.ts';
import { openStripe } from '#payment/server/stripe/client.ts';
import type { CardKeyColumns } from '#store/card-provider.ts';
import { isLoopbackUrl } from '#platform/server/addresses.ts';
import { openSecretStore, type SecretStore } from '#platform/server/secrets/secret-store.ts';
import type { PaymentRow } from '#payment/server/owed-calls.ts';
import { z } from 'zod';

export type KeySetRow = Selectable<PaymentKeySetsTable>;

export interface KeySet extends Pick<KeySetRow, 'id' | 'provider' | 'mode' | 'account'> {
  /** Whether the set's payments move no money, because its key is a test key of the real Stripe. */
  isTest: boolean;
  isCurrent: boolean;
  stripe: Stripe;
  /** The account's webhooks are signed with one of these secrets. */
  webhookSecrets: readonly string[];
}

/**
 * The key sets that have not ended. Each instance caches them, and reloads them when another instance announces a
 * change.
 */
export interface KeySetCache {
  /** The key set for new payments; null: there is none, or its secrets are not on this machine. */
  current(): KeySet | null;
  /** The card provider that a new store offers, and whether the shop has card keys or ever had live ones. */
  cards(): CardKeyColumns;
  /**
   * All sets whose secrets are on this machine. A webhook of the provider may be signed with the secret of any of them.
   */
  usable(): readonly KeySet[];
  /** Finds a set by its id. Throws ProviderKeysRefused if it has ended, or its secrets are not on this machine. */
  get(id: string): KeySet;
  reload(): Promise<void>;
  secrets: SecretStore<KeySecrets>;
  /** Opens Stripe's client with a key that belongs to no set yet. */
  openStripe(secretKey: string): Stripe;
}

export interface KeySetCacheOptions {
  db: Db;
  /** Calls back when `keySetsChannel` announces a change. */
  watch: Pick<SettingsWatch, 'keep'>;
  log: FastifyBaseLogger;
  config: {
    APP_URL?: string | undefined;
    dataDir: string;
    SECRETS_KEY?: string | undefined;
    STRIPE_API_BASE?: string | undefined;
    STRIPE_WEBHOOK_SECRET: readonly string[];
  };
}

export const keySetsChannel = 'hatch_payment_keys';

export function selectOpenKeySets(db: Db) {
  return db.selectFrom('payment_key_sets').selectAll().where('ended_at', 'is', null);
}

/**
 * Whether Stripe's page can send customers back to the shop. Without a public address of the shop, the page would lead
 * customers to an address on their own phone.
 */
export function canReturnFromStripe({ APP_URL }: { APP_URL?: string | undefined }): boolean {
  return APP_URL !== undefined && !isLoopbackUrl(new URL(APP_URL));
}

export async function readCardKeyColumns(db: Db, config: { APP_URL?: string | undefined }): Promise<CardKeyColumns> {
  const rows = await db
    .selectFrom('payment_key_sets')
    .select(['provider', 'mode', 'problem', 'replaced_at'])
    .where((eb) => eb.or([eb('replaced_at', 'is', null), eb('mode', '=', 'live')]))
    .execute();
  const used = rows.find(({ replaced_at }) => replaced_at === null);
  const canPay = used && !preventsCardPayments(used.problem) && (used.mode === 'test' || canReturnFromStripe(config));
  return {
    card_provider: canPay ? used.provider : null,
    has_card_keys: rows.length > 0,
  };
}

/** Notifies every instance that key sets changed, once `tx` is committed. */
export function announceKeySetChange(tx: Tx): Promise<void> {
  return announceSettingsChange(tx, keySetsChannel);
}

export async function openKeySetCache({ db, watch, log, config }: KeySetCacheOptions): Promise<KeySetCache> {
  const secrets = openKeySecrets(config);
  const apiBase = config.STRIPE_API_BASE === undefined ? null : new URL(config.STRIPE_API_BASE);
  const openWith = (secretKey: string) => openStripe(secretKey, apiBase);
  if (apiBase) await countLocalStripe(db);
  let known: ReadonlyMap<string, Known> = new Map();
  let current: KeySet | null = null;
  let cards: CardKeyColumns = { card_provider: null, has_card_keys: false };

  const load = async () => {
    const rows = await selectOpenKeySets(db).orderBy('id').execute();
    const next = new Map<string, Known>();
    for (const row of rows) {
      const read = await secrets.read(row.id, row.sealed);
      if (!read) log.error({ key_set: row.id }, 'the secrets of a card provider are not on this machine');
      else next.set(row.id, know(row, read, known.get(row.id)));
    }
    known = next;
    cards = await readCardKeyColumns(db, config);
    current = [...next.values()].find(({ set }) => set.isCurrent)?.set ?? null;
  };
  const know = (row: KeySetRow, read: KeySecrets, before: Known | undefined): Known => {
    const isCurrent = row.replaced_at === null;
    const { id, provider, mode, account } = row;
    const stripe = before?.secretKey === read.secretKey ? before.set.stripe : openWith(read.secretKey);
    const webhookSecrets = [...new Set([...(isCurrent ? config.STRIPE_WEBHOOK_SECRET : []), ...read.webhookSecrets])];
    return {
      secretKey: read.secretKey,
      set: {
        id,
        provider,
        mode,
        account,
        isTest: mode === 'test' && apiBase === null,
        isCurrent,
        stripe,
        webhookSecrets,
      },
    };
  };

  const reload = await watch.keep(keySetsChannel, load);
  return {
    current: () => current,
    cards: () => cards,
    usable: () => [...known.values()].map(({ set }) => set),
    get(id) {
      const found = known.get(id);
      if (!found) throw new ProviderKeysRefused('the keys of this payment are not here any more');
      return found.set;
    },
    reload,
    secrets,
    openStripe: openWith,
  };
}

interface Known {
  secretKey: string;
  set: KeySet;
}

/**
 * Marks payments at the local Stripe simulator as real payments. A migration marked them as tests, because it could not
 * tell the simulator's payments from tests at the real Stripe.
 */
async function countLocalStripe(db: Db): Promise<void> {
  await db
    .updateTable('payments')
    .set({ is_test: false })
    .where('is_test', '=', true)
    .where('provider', '=', 'stripe')
    .execute();
}

export async function readKeyProblems(db: Db): Promise<KeyProblem[]> {
  const rows = await db
    .selectFrom('payment_key_sets')
    .select('problem')
    .where('replaced_at', 'is', null)
    .where('ended_at', 'is', null)
    .where('problem', 'is not', null)
    .execute();
  return rows.flatMap(({ problem }) => problem ?? []);
}

/**
 * Whether a key set has ended for good, so that no call can be made with it. `keySet` null: the provider needs no keys,
 * so none have ended.
 */
export async function haveKeysEnded(db: Db, keySet: string | null): Promise<boolean> {
  if (keySet === null) return false;
  const set = await db.selectFrom('payment_key_sets').select('ended_at').where('id', '=', keySet).executeTakeFirst();
  return set?.ended_at != null;
}

/**
 * Whether a call failed because the payment's key set has ended for good. Keys that were withdrawn at the provider do
 * not count, because the owner may replace them by another key of the account.
 */
export async function isCausedByEndedKeys(
  db: Db,
  error: unknown,
  { key_set }: Pick<PaymentRow, 'key_set'>,
): Promise<boolean> {
  return error instanceof ProviderKeysRefused && (await haveKeysEnded(db, key_set));
}

const KeySecrets = z.object({
  secretKey: z.string(),
  webhookSecrets: z.array(z.string()),
});
type KeySecrets = z.infer<typeof KeySecrets>;

export function openKeySecrets(config: { dataDir: string; SECRETS_KEY?: string | undefined }): SecretStore<KeySecrets> {
  return openSecretStore(config, { folder: 'payment-keys', use: 'hatch payment keys', schema: KeySecrets });
}
