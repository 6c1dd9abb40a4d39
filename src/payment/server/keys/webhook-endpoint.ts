import { randomUUID } from 'node:crypto';
import type { Stripe } from 'stripe';
import { changeWithEffects } from '#database/transaction.ts';
import { lockKeySets } from '#payment/server/keys/activate-key.ts';
import { announceKeySetChange, type KeySet, type KeySetRow } from '#payment/server/keys/key-sets.ts';
import type { KeyServices } from '#payment/server/keys/services.ts';
import { ProviderRefusal } from '#payment/server/provider.ts';
import { askStripe } from '#payment/server/stripe/ask-stripe.ts';
import { stripeVersion } from '#payment/server/stripe/client.ts';
import { stripeEvents } from '#payment/stripe-events.ts';

/** The field of an endpoint's metadata with the id of the key set for which the shop made the endpoint. */
const maker = 'key_set';
const path = '/v1/payments/webhooks/stripe';

/** The address for Stripe's webhooks; null: Stripe cannot reach the shop, which has no public https address. */
export function webhookUrl({ config, ownOrigin }: Pick<KeyServices, 'config' | 'ownOrigin'>): string | null {
  const { APP_URL, STRIPE_API_BASE } = config;
  if (APP_URL?.startsWith('https:')) return `${config.publicUrl}${path}`;
  // If STRIPE_API_BASE is set, a simulator on the same machine takes Stripe's place.
  return STRIPE_API_BASE === undefined ? null : `${ownOrigin()}${path}`;
}

/**
 * Creates the set's webhook endpoint at Stripe, updates it if the address or the events changed, and replaces it if the
 * API version changed. An endpoint that the owner created, whose secret is in the environment, is not changed. Throws
 * the errors of `askStripe`.
 */
export async function ensureWebhookEndpoint(services: KeyServices, set: KeySet, row: KeySetRow): Promise<void> {
  const url = webhookUrl(services);
  if (url === null) return;
  const known = row.endpoint_id === null ? null : await retrieve(set.stripe, row.endpoint_id);
  if (services.config.STRIPE_WEBHOOK_SECRET.length > 0) {
    if (known?.url !== url) await saveEndpoint(services, row.id, await findByUrl(set.stripe, url));
    return;
  }
  if (known?.api_version === stripeVersion) {
    if (isAsWanted(known, url)) return;
    const change = { url, enabled_events: [...stripeEvents], disabled: false };
    return saveEndpoint(services, row.id, await askStripe(set.stripe.webhookEndpoints.update(known.id, change)));
  }
  await removeUnknown(set.stripe, row);
  const made = await askStripe(
    set.stripe.webhookEndpoints.create(
      {
        url,
        enabled_events: [...stripeEvents],
        api_version: stripeVersion,
        description: 'Hatch',
        metadata: { [maker]: row.id },
      },
      { idempotencyKey: `endpoint:${row.id}:${randomUUID()}` },
    ),
  );
  await saveEndpoint(services, row.id, made);
  // The old endpoint is removed only after the new one is stored, so that no webhook is lost.
  if (known) await removeWebhookEndpoint(set.stripe, known.id, row.id);
}

/** Removes an endpoint that was made for this key set. Does nothing if it no longer exists. */
export async function removeWebhookEndpoint(stripe: Stripe, id: string, keySet: string): Promise<void> {
  const known = await retrieve(stripe, id);
  if (known?.metadata[maker] !== keySet) return;
  await askStripe(stripe.webhookEndpoints.del(id)).catch((error: unknown) => {
    if (!(error instanceof ProviderRefusal)) throw error;
  });
}

/**
 * Deletes the set's endpoints that the shop has not stored. Their secret is unknown, because Stripe sends it only in
 * the answer to the creation.
 */
async function removeUnknown(stripe: Stripe, { id, endpoint_id }: KeySetRow): Promise<void> {
  for (const endpoint of await listEndpoints(stripe)) {
    if (endpoint.metadata[maker] === id && endpoint.id !== endpoint_id) {
      await askStripe(stripe.webhookEndpoints.del(endpoint.id));
    }
  }
}

async function saveEndpoint(services: KeyServices, id: string, endpoint: Stripe.WebhookEndpoint | null): Promise<void> {
  const { keySets } = services;
  await changeWithEffects(services, async (tx) => {
    await lockKeySets(tx);
    const row = await tx.selectFrom('payment_key_sets').selectAll().where('id', '=', id).executeTakeFirst();
    if (!row || row.ended_at) return;
    const secrets = endpoint?.secret ? await keySets.secrets.read(id, row.sealed) : null;
    const sealed =
      endpoint?.secret && secrets
        ? await keySets.secrets.keep(id, {
            ...secrets,
            webhookSecrets: [...new Set([endpoint.secret, ...secrets.webhookSecrets])],
          })
        : row.sealed;
    await tx
      .updateTable('payment_key_sets')
      .set({ endpoint_id: endpoint?.id ?? null, endpoint_url: endpoint?.url ?? null, sealed })
      .where('id', '=', id)
      .execute();
    await announceKeySetChange(tx);
  });
  await keySets.reload();
}

function isAsWanted({ url, status, enabled_events }: Stripe.WebhookEndpoint, wanted: string): boolean {
  const events = new Set(enabled_events);
  return url === wanted && status === 'enabled' && stripeEvents.every((event) => events.has(event));
}

async function retrieve(stripe: Stripe, id: string): Promise<Stripe.WebhookEndpoint | null> {
  return askStripe(stripe.webhookEndpoints.retrieve(id)).catch((error: unknown) => {
    if (error instanceof ProviderRefusal) return null;
    throw error;
  });
}

async function findByUrl(stripe: Stripe, url: string): Promise<Stripe.WebhookEndpoint | null> {
  const all = await listEndpoints(stripe);
  return all.find((endpoint) => endpoint.url === url) ?? null;
}

async function listEndpoints(stripe: Stripe): Promise<Stripe.WebhookEndpoint[]> {
  return askStripe(stripe.webhookEndpoints.list({ limit: 100 }).autoPagingToArray({ limit: 1000 }));
}
