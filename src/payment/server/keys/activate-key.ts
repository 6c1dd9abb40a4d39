import { createHash, randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import type { Stripe } from 'stripe';
import type { KeySource, PaymentMode } from '#database/column-values.ts';
import type { Db, Tx } from '#database/schema.ts';
import { changeWithEffects } from '#database/transaction.ts';
import type { RegisterAfterCommit } from '#platform/http/audited-call.ts';
import {
  announceKeySetChange,
  type KeySetRow,
  readCardKeyColumns,
  selectOpenKeySets,
} from '#payment/server/keys/key-sets.ts';
import type { KeyServices } from '#payment/server/keys/services.ts';
import type { ProviderKeyFacts } from '#payment/server/keys/check-key.ts';
import { ProviderKeysRefused, ProviderRefusal } from '#payment/server/provider.ts';
import { askStripe } from '#payment/server/stripe/ask-stripe.ts';
import { setCardKeyColumns } from '#store/server/change-store.ts';

export interface KeyToActivate {
  secretKey: string;
  mode: PaymentMode;
  source: KeySource;
  /** The key's account and problem, as its check found them; null: the key was not checked yet. */
  facts: Pick<ProviderKeyFacts, 'account' | 'accountName' | 'problem'> | null;
}

/** Milliseconds for which another instance may still make payments with a replaced key. */
const lastPayments = 60_000;

type Audit = (tx: Tx) => Promise<void>;

/**
 * Uses a key for new payments, and returns the id of its key set: the open set to which the key belongs, or a new one.
 * Throws when Stripe does not answer, because only Stripe can tell to which set a new key belongs.
 */
export async function activateKey(services: KeyServices, key: KeyToActivate, audit?: Audit): Promise<string> {
  const { db, keySets } = services;
  const keyHash = hashCardKey(key.secretKey);
  const joined = await findKeySetOfKey(db, key, keyHash, keySets.openStripe(key.secretKey));
  const fresh = randomUUIDv7();
  const id = await changeWithEffects(services, async (tx, afterCommit) => {
    await lockKeySets(tx);
    const now = services.now();
    // The set may have ended since it was found.
    const kept = joined === null ? undefined : await selectOpenKeySets(tx).where('id', '=', joined).executeTakeFirst();
    const set = kept?.id ?? fresh;
    const before = kept && (await keySets.secrets.read(kept.id, kept.sealed));
    const own = key.source === 'environment' ? services.config.STRIPE_WEBHOOK_SECRET : [];
    const webhookSecrets = [...new Set([...own, ...(before?.webhookSecrets ?? [])])];
    const sealed = await keySets.secrets.keep(set, { secretKey: key.secretKey, webhookSecrets });
    await retireOthers(tx, set, now);
    const columns = { ...columnsOfKey(key, kept, now), key_hash: keyHash, sealed };
    const isNew = kept === undefined;
    const write = isNew
      ? tx.insertInto('payment_key_sets').values({
          ...columns,
          id: set,
          provider: 'stripe',
          mode: key.mode,
          created_at: now,
          endpoint_id: null,
          endpoint_url: null,
          trial: null,
        })
      : tx.updateTable('payment_key_sets').set(columns).where('id', '=', set);
    await write.execute();
    await audit?.(tx);
    await saveAndAnnounceCardKeys(services, { db: tx, afterCommit });
    return set;
  });
  await keySets.reload();
  return id;
}

/** The columns of a key set with this key. An account or name that Stripe did not report is not changed. */
function columnsOfKey({ source, secretKey, facts }: KeyToActivate, kept: KeySetRow | undefined, now: Date) {
  return {
    source,
    account: facts?.account ?? kept?.account ?? null,
    account_name: facts?.accountName ?? kept?.account_name ?? null,
    key_hint: secretKey.slice(-4),
    problem: facts?.problem ? JSON.stringify({ ...facts.problem, since: now.toISOString() }) : null,
    replaced_at: null,
    check_at: now,
  };
}

/**
 * Retires the current key: new payments do not use it, and cards are not offered any more. Returns false if there is no
 * key.
 */
export async function retireCurrentKey(services: KeyServices, audit?: Audit): Promise<boolean> {
  const isDone = await changeWithEffects(services, async (tx, afterCommit) => {
    await lockKeySets(tx);
    const retired = await retireOthers(tx, null, services.now());
    if (retired === 0) return false;
    await audit?.(tx);
    await saveAndAnnounceCardKeys(services, { db: tx, afterCommit });
    return true;
  });
  await services.keySets.reload();
  return isDone;
}

export async function saveAndAnnounceCardKeys(
  services: KeyServices,
  call: { db: Tx; afterCommit: RegisterAfterCommit },
): Promise<void> {
  await announceKeySetChange(call.db);
  await setCardKeyColumns(services, call, await readCardKeyColumns(call.db, services.config), true);
}

/** Locks all key sets until the transaction's end, so that their changes are made one after the other. */
export async function lockKeySets(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('hatch payment keys'))`.execute(tx);
}

export function hashCardKey(secretKey: string): Buffer {
  return createHash('sha256').update(secretKey).digest();
}

/**
 * The id of the open key set to which a key belongs; null: none. A key belongs to the set that has it, or to a set
 * whose webhook endpoint it can read. Only a key of the same account can read the endpoint.
 */
export async function findKeySetOfKey(
  db: Db,
  { mode }: Pick<KeyToActivate, 'mode'>,
  keyHash: Buffer,
  stripe: Stripe,
): Promise<string | null> {
  const sets = await selectOpenKeySets(db).where('mode', '=', mode).orderBy('id', 'desc').execute();
  const same = sets.find(({ key_hash }) => key_hash.equals(keyHash));
  if (same) return same.id;
  for (const { id, endpoint_id } of sets) {
    if (endpoint_id !== null && (await canRead(stripe, endpoint_id))) return id;
  }
  return null;
}

async function canRead(stripe: Stripe, endpoint: string): Promise<boolean> {
  try {
    await askStripe(stripe.webhookEndpoints.retrieve(endpoint));
    return true;
  } catch (error) {
    if (error instanceof ProviderRefusal || error instanceof ProviderKeysRefused) return false;
    throw error;
  }
}

async function retireOthers(tx: Tx, set: string | null, now: Date): Promise<number> {
  let others = tx
    .updateTable('payment_key_sets')
    .set({ replaced_at: now, check_at: new Date(now.getTime() + lastPayments) })
    .where('replaced_at', 'is', null);
  if (set !== null) others = others.where('id', '!=', set);
  const { numUpdatedRows } = await others.executeTakeFirst();
  return Number(numUpdatedRows);
}
