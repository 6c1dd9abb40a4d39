import { createECDH, randomUUIDv7 } from 'node:crypto';
import type { Selectable } from 'kysely';
import { m } from '#messages';
import type { Db, PushSubscriptionsTable, Tx } from '#database/schema.ts';
import type { PushDevice, PushSubscription } from '#push/contract.ts';
import { isPushService } from '#push/push-services.ts';
import { invalidFieldError } from '#platform/errors.ts';
import type { Viewer } from '#platform/http/viewer.ts';
import { currentLanguage } from '#platform/language.ts';

export type SubscriptionRow = Selectable<PushSubscriptionsTable>;

/** The maximum number of a person's devices. Above the maximum, the least recently notified device is deleted. */
const maxPerPerson = 10;

export interface SubscribeRequest {
  subscription: PushSubscription;
  viewer: Viewer;
  userAgent: string;
  now: Date;
  /**
   * The kinds of notifications that the device gets. A missing field keeps the person's earlier choice on this device.
   * Without an earlier choice of the same person, a missing field means false.
   */
  wants?: { own_orders?: boolean | undefined; new_orders?: boolean | undefined };
  testOrigin: string | undefined;
}

/**
 * Stores a browser's subscription for the caller, once per endpoint. Throws 422 if the endpoint belongs to no push
 * service or to another browser, or if the keys are unusable.
 */
export async function saveSubscription(tx: Tx, subscribing: SubscribeRequest): Promise<SubscriptionRow> {
  const { subscription, viewer, userAgent, now, wants = {}, testOrigin } = subscribing;
  const { endpoint, keys } = subscription;
  refuseUnusable(subscription, testOrigin);
  const held = await tx
    .selectFrom('push_subscriptions')
    .selectAll()
    .where('endpoint', '=', endpoint)
    .forUpdate()
    .executeTakeFirst();
  // A browser never changes the keys of its endpoint. Other keys mean that the endpoint belongs to another browser.
  if (held && held.auth !== keys.auth) throw invalidFieldError('subscription.endpoint', m.push_endpoint_taken());
  const before = held?.user_id === viewer.id ? held : undefined;
  const row = {
    endpoint,
    ...keys,
    locale: currentLanguage(),
    user_agent: userAgent.slice(0, 300),
    user_id: viewer.id,
    sign_in_id: viewer.signInId,
    wants_own_orders: wants.own_orders ?? before?.wants_own_orders ?? false,
    wants_new_orders: wants.new_orders ?? before?.wants_new_orders ?? false,
    created_at: now,
  };
  const saved = await tx
    .insertInto('push_subscriptions')
    .values({ id: randomUUIDv7(), ...row })
    .onConflict((conflict) => conflict.column('endpoint').doUpdateSet(row))
    .returningAll()
    .executeTakeFirstOrThrow();
  if (viewer.id !== null) await makeRoom(tx, viewer.id, saved.id);
  return saved;
}

export async function listPushDevices(db: Db, viewer: Pick<Viewer, 'id' | 'signInId'>): Promise<PushDevice[]> {
  const rows = await db
    .selectFrom('push_subscriptions')
    .selectAll()
    .where('user_id', '=', viewer.id)
    .orderBy('id', 'desc')
    .execute();
  return rows.map((row) => presentPushDevice(row, viewer));
}

export function presentPushDevice(row: SubscriptionRow, viewer: Pick<Viewer, 'signInId'>): PushDevice {
  return {
    id: row.id,
    user_agent: row.user_agent,
    own_orders: row.wants_own_orders,
    new_orders: row.wants_new_orders,
    created_at: row.created_at.toISOString(),
    sent_at: row.sent_at?.toISOString() ?? null,
    is_current: row.sign_in_id === viewer.signInId,
  };
}

export function lockOwnPushDevice(tx: Tx, id: string, userId: string | null): Promise<SubscriptionRow | undefined> {
  return tx
    .selectFrom('push_subscriptions')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
}

export function findSubscription(db: Db, id: string): Promise<SubscriptionRow | undefined> {
  return db.selectFrom('push_subscriptions').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function endSubscription(db: Db, id: string): Promise<void> {
  await db.deleteFrom('push_subscriptions').where('id', '=', id).execute();
}

export async function recordPushSent(db: Db, id: string, at: Date): Promise<void> {
  await db.updateTable('push_subscriptions').set({ sent_at: at }).where('id', '=', id).execute();
}

export async function recordPushTest(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.updateTable('push_subscriptions').set({ tested_at: at }).where('id', '=', id).execute();
}

export async function findDevicesForNewOrders(tx: Tx, userIds: readonly string[]): Promise<string[]> {
  if (userIds.length === 0) return [];
  const rows = await tx
    .selectFrom('push_subscriptions')
    .select('id')
    .where('wants_new_orders', '=', true)
    .where('user_id', 'in', userIds)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

function refuseUnusable({ endpoint, keys }: PushSubscription, testOrigin: string | undefined): void {
  if (!isPushService(endpoint, testOrigin)) throw invalidFieldError('subscription.endpoint', m.push_not_a_service());
  if (!isPoint(keys.p256dh)) throw invalidFieldError('subscription.keys.p256dh', m.push_bad_key());
  if (!/^[\w-]{22}={0,2}$/.test(keys.auth)) throw invalidFieldError('subscription.keys.auth', m.push_bad_key());
}

/** Whether a key is an uncompressed P-256 point, as browsers send it for the encryption of messages. */
function isPoint(text: string): boolean {
  const bytes = Buffer.from(text, 'base64url');
  if (!/^[\w-]{87}=?$/.test(text) || bytes.length !== 65 || bytes[0] !== 4) return false;
  const ecdh = createECDH('prime256v1');
  ecdh.generateKeys();
  try {
    ecdh.computeSecret(bytes);
    return true;
  } catch {
    return false;
  }
}

async function makeRoom(tx: Tx, userId: string, but: string): Promise<void> {
  await tx
    .deleteFrom('push_subscriptions')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('push_subscriptions')
        .select('id')
        .where('user_id', '=', userId)
        .where('id', '!=', but)
        .orderBy((order) => order.fn.coalesce('sent_at', 'created_at'), 'desc')
        .offset(maxPerPerson - 1),
    )
    .execute();
}
