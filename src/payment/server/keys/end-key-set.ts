import { sql } from 'kysely';
import type { Db } from '#database/schema.ts';
import { changeWithEffects } from '#database/transaction.ts';
import { unendedOrdersSql } from '#ordering/server/order-views.ts';
import { lockKeySets } from '#payment/server/keys/activate-key.ts';
import { removeWebhookEndpoint } from '#payment/server/keys/webhook-endpoint.ts';
import { announceKeySetChange, type KeySet, type KeySetRow } from '#payment/server/keys/key-sets.ts';
import type { KeyServices } from '#payment/server/keys/services.ts';
import { ProviderKeysRefused } from '#payment/server/provider.ts';
import { deleteStripeCustomer } from '#payment/server/stripe/customers.ts';

/** Days after which money that a replaced set charged counts as paid out, even if no payout is known. */
const payoutDays = 30;

/**
 * Ends a replaced key set once its payments, refunds, disputes and payouts are finished. Deletes its webhook endpoint,
 * its customers and their saved cards at Stripe, and its secrets here. Returns false while something is unfinished.
 */
export async function endKeySetIfDone(services: KeyServices, row: KeySetRow): Promise<boolean> {
  const { db, keySets, now } = services;
  if (await isOpen(db, row.id, now())) return false;
  const set = keySets.usable().find(({ id }) => id === row.id);
  if (set) await clearAtStripe(services, set, row).catch(unlessRefused);
  const isEnded = await changeWithEffects(services, async (tx) => {
    await lockKeySets(tx);
    if (await isOpen(tx, row.id, now())) return false;
    const ended = await tx
      .updateTable('payment_key_sets')
      .set({ ended_at: now(), check_at: null, sealed: null, problem: null, endpoint_id: null })
      .where('id', '=', row.id)
      .where('replaced_at', 'is not', null)
      .returning('id')
      .executeTakeFirst();
    if (ended) await announceKeySetChange(tx);
    return ended !== undefined;
  });
  if (!isEnded) return false;
  await keySets.secrets.wipe(row.id);
  await keySets.reload();
  return true;
}

async function isOpen(db: Db, id: string, now: Date): Promise<boolean> {
  const since = new Date(now.getTime() - payoutDays * 24 * 60 * 60_000);
  const { rows } = await sql<{ is_open: boolean }>`
    select
      exists (select from payments p where p.key_set = ${id}
        and (p.status in ('pending', 'authorised') or p.owed is not null))
      or exists (select from payments p join refund_attempts a on a.payment_id = p.id
        where p.key_set = ${id} and a.status = 'asked')
      or exists (select from payments p join ${unendedOrdersSql} o on o.id = p.order_id
        where p.key_set = ${id} and p.status = 'captured')
      or exists (select from payment_disputes where key_set = ${id} and closed_at is null)
      or exists (select from payment_payouts where key_set = ${id} and status in ('pending', 'in_transit'))
      or exists (select from payment_bank_entries
        where key_set = ${id} and payout_id is null and created_at > ${since})
      or exists (select from payment_key_sets where id = ${id} and trial->>'state' in ('open', 'paid'))
      as is_open`.execute(db);
  return rows[0]?.is_open ?? true;
}

async function clearAtStripe({ db }: KeyServices, set: KeySet, row: KeySetRow): Promise<void> {
  const customers = await db.selectFrom('payment_customers').selectAll().where('key_set', '=', set.id).execute();
  for (const { user_id, customer } of customers) {
    await deleteStripeCustomer(set.stripe, customer);
    await db.deleteFrom('payment_customers').where('user_id', '=', user_id).where('key_set', '=', set.id).execute();
  }
  if (row.endpoint_id !== null) await removeWebhookEndpoint(set.stripe, row.endpoint_id, row.id);
}

/** Ignores a refusal of the keys, because withdrawn keys cannot delete anything. */
function unlessRefused(error: unknown): void {
  if (!(error instanceof ProviderKeysRefused)) throw error;
}
