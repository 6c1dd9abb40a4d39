import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import { hashToken } from '#accounts/server/hash-password.ts';
import type { DeviceKind } from '#database/column-values.ts';
import type { Db, DevicesTable, Tx } from '#database/schema.ts';
import type { Viewer } from '#platform/http/viewer.ts';
import type { User } from '#accounts/contract.ts';
import type { Device } from '#accounts/device-contract.ts';

export type DeviceRow = Selectable<DevicesTable>;

/** The prefix of devices' tokens. The prefix decides in which table a token is looked up. */
const prefix = 'device_';
/** The shortest time between two writes of `last_seen_at`, in milliseconds. */
const touchEvery = 60_000;

export function isDeviceToken(token: string): boolean {
  return token.startsWith(prefix);
}

/** The device of the token; null: the token is unknown, or the device is signed out for good. */
export async function findDeviceByToken(db: Db, token: string, now: Date): Promise<Viewer | null> {
  const row = await db
    .selectFrom('devices')
    .select(['id', 'store_id', 'name', 'last_seen_at'])
    .where('token_hash', '=', hashToken(token))
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  if (!row) return null;
  if (now.getTime() - row.last_seen_at.getTime() > touchEvery) {
    await db.updateTable('devices').set({ last_seen_at: now }).where('id', '=', row.id).execute();
  }
  return viewerOfDevice(row);
}

export async function findDevicesByIds(db: Db, ids: readonly string[]): Promise<Viewer[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('devices')
    .select(['id', 'store_id', 'name'])
    .where('id', 'in', ids)
    .where('revoked_at', 'is', null)
    .execute();
  return rows.map(viewerOfDevice);
}

export async function storeHasDevice(db: Db, storeId: string): Promise<boolean> {
  const row = await db
    .selectFrom('devices')
    .select('id')
    .where('store_id', '=', storeId)
    .where('revoked_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns a device as the viewer of its calls, with the rights of its store's staff and the device's name. */
export function viewerOfDevice({ id, store_id, name }: Pick<DeviceRow, 'id' | 'store_id' | 'name'>): Viewer {
  return { role: 'store_admin', id, name, scopes: [store_id], signInId: null, isDevice: true };
}

/** Writes a new device; its token is stored only as a hash. */
export async function insertDevice(
  tx: Tx,
  device: { store_id: string; name: string; station: string; kind: DeviceKind },
  now: Date,
): Promise<{ token: string; device: DeviceRow }> {
  const token = prefix + randomBytes(32).toString('base64url');
  const row = await tx
    .insertInto('devices')
    .values({ id: randomUUIDv7(), token_hash: hashToken(token), ...device, created_at: now, last_seen_at: now })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { token, device: row };
}

/** Signs a device out for good; false if the device is not signed in. */
export async function revokeDevice(tx: Tx, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('devices')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export function presentDevice({ state, ...row }: DeviceRow): Device {
  const { version = null, battery = null, is_charging = null, wifi = null } = state;
  return {
    ...row,
    version,
    battery,
    is_charging,
    wifi,
    created_at: row.created_at.toISOString(),
    last_seen_at: row.last_seen_at.toISOString(),
    revoked_at: row.revoked_at?.toISOString() ?? null,
  };
}

export function presentDeviceUser({ id, name, scopes }: Viewer): User {
  return {
    id: id ?? '',
    name,
    email: '',
    phone: '',
    role: 'store_admin',
    store_ids: [...scopes],
    addresses: [],
    allergies: [],
    locale: 'en',
    email_verified_at: null,
    has_password: false,
    is_device: true,
  };
}

export const deviceNamesSql = sql`select id, name from devices`;
