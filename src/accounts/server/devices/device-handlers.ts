import { m } from '#messages';
import type { deviceEndpoints } from '#accounts/device-contract.ts';
import {
  type DeviceRow,
  insertDevice,
  presentDevice,
  revokeDevice,
  viewerOfDevice,
} from '#accounts/server/devices/device-tokens.ts';
import { createSocketReauthoriser } from '#accounts/server/sign-ins.ts';
import type { AccountServices } from '#accounts/server/services.ts';
import { countAttempt, resetCountsAfterSuccess } from '#accounts/server/throttle.ts';
import { nameSortKey } from '#database/text-search.ts';
import type { Db, Tx } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import { AppError, invalidFieldError } from '#platform/errors.ts';
import type { HandlerInput, Handlers } from '#platform/http/serve.ts';
import { callerNetwork } from '#platform/server/client-address.ts';
import { openStateAt } from '#store/opening-hours.ts';
import type { Store } from '#store/contract.ts';
import { randomInt } from 'node:crypto';
import { deviceCodeCharacters } from '#accounts/devices.ts';
import { slowDigest } from '#accounts/server/hash-password.ts';

type Services = Pick<AccountServices, 'config' | 'log' | 'menus' | 'realtime'>;
type DeviceCall<K extends keyof typeof deviceEndpoints> = HandlerInput<typeof deviceEndpoints, K, Db, Tx>;

const listedAfterRevoking = 7 * 24 * 60 * 60_000;
/** Apps may update until this many milliseconds before the opening, so that the board is back when the shop opens. */
const minPause = 15 * 60_000;

export function deviceHandlers(services: Services): Handlers<typeof deviceEndpoints, Db, Tx> {
  return {
    'GET /v1/devices': async ({ db, now }) => {
      const since = new Date(now.getTime() - listedAfterRevoking);
      const rows = await db
        .selectFrom('devices')
        .selectAll()
        .where((eb) => eb.or([eb('revoked_at', 'is', null), eb('revoked_at', '>', since)]))
        .orderBy('store_id')
        .orderBy(nameSortKey('name'))
        .orderBy('id')
        .execute();
      return { data: rows.map(presentDevice) };
    },

    'POST /v1/devices/codes': async ({ db, body, now, ownOrigin }) => {
      const { store } = await storeOf(services, db, body.store_id);
      const { code, expiresAt } = await makeDeviceCode(db, body, now);
      const { APP_URL, publicUrl } = services.config;
      const url = `${APP_URL === undefined ? ownOrigin() : publicUrl}/app/device#${code}`;
      return { data: { store_id: store.id, code, url, expires_at: expiresAt.toISOString() } };
    },

    'POST /v1/devices/sign-in': (call) => signDeviceIn(call),

    'GET /v1/devices/me': async ({ db, viewer }) => ({ data: presentDevice(await findRow(db, viewer.id ?? '')) }),

    'POST /v1/devices/heartbeat': async ({ db, body, viewer, now }) => {
      const row = await findRow(db, viewer.id ?? '');
      const state = JSON.stringify({ ...row.state, ...body });
      await db.updateTable('devices').set({ state, last_seen_at: now }).where('id', '=', row.id).execute();
      const { store } = await storeOf(services, db, row.store_id);
      return { data: { ...mayInstall(store, now), station: row.station } };
    },

    'PATCH /v1/devices/{id}': async ({ db, params, body, afterCommit }) => {
      const change = Object.keys(body).length > 0;
      if (change) await db.updateTable('devices').set(body).where('id', '=', params.id).execute();
      const row = await findRow(db, params.id);
      // The device's open sockets still have its old name, so they must authorise again.
      if (change) afterCommit(createSocketReauthoriser(services, row.id));
      return { data: presentDevice(row) };
    },

    'DELETE /v1/devices/{id}': async ({ db, params, now, afterCommit }) => {
      if (!(await revokeDevice(db, params.id, now))) throw notFound();
      afterCommit(createSocketReauthoriser(services, params.id));
    },
  };
}

async function signDeviceIn({ db, body, now, address, audit }: DeviceCall<'POST /v1/devices/sign-in'>) {
  await countAttempt(db, 'device', { address }, now);
  const codeHash = body.code === null ? null : await digestDeviceCode(body.code, callerNetwork(address));
  const made = await inTransaction(db, async (tx) => {
    const found = codeHash && (await useDeviceCode(tx, codeHash, now));
    if (!found) return null;
    const { token, device } = await insertDevice(tx, { ...found, kind: body.kind }, now);
    const shown = presentDevice(device);
    await audit(tx, { data: shown }, viewerOfDevice(device));
    return { token, device: shown };
  });
  if (!made) throw invalidFieldError('code', m.accounts_device_code_wrong());
  await resetCountsAfterSuccess(db, 'device', { address });
  return { data: made };
}

/** Whether apps may update now, by the opening hours alone: a shop on a pause counts as open. */
function mayInstall(store: Store, now: Date): { may_install_updates: boolean; closed_until: string | null } {
  const hours = { ...store, is_accepting_orders: true, paused_until: null };
  const { is_open: isOpen, opens_at: opensAt } = openStateAt(hours, now);
  const isLong = opensAt === null || Date.parse(opensAt) - now.getTime() >= minPause;
  return { may_install_updates: !isOpen && isLong, closed_until: isOpen ? null : opensAt };
}

async function storeOf({ menus }: Services, db: Db, id: string): Promise<{ store: Store }> {
  const known = await menus.store(db, id);
  if (!known) throw new AppError('not_found', m.store_not_found());
  return known;
}

async function findRow(db: Db, id: string): Promise<DeviceRow> {
  const row = await db.selectFrom('devices').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

function notFound(): AppError {
  return new AppError('not_found', m.accounts_device_not_found());
}

/** Milliseconds in which a device code can be used. */
const validFor = 10 * 60_000;

interface NewDevice {
  store_id: string;
  name: string;
  station: string;
}

/** All device codes share this nonce, because a code is looked up by its digest alone. */
const nonce = Buffer.from('hatch device codes');

/**
 * Device codes have 40 bits only. The digest is as slow as a password's, so that a copy of the database does not
 * suffice to find a code before it expires.
 */
function digestDeviceCode(code: string, asker?: string): Promise<Buffer> {
  return slowDigest(code, nonce, asker);
}

export async function makeDeviceCode(tx: Tx, device: NewDevice, now: Date): Promise<{ code: string; expiresAt: Date }> {
  const code = Array.from({ length: 8 }, () => deviceCodeCharacters[randomInt(deviceCodeCharacters.length)]).join('');
  const expiresAt = new Date(now.getTime() + validFor);
  const codeHash = await digestDeviceCode(code);
  await tx
    .insertInto('device_codes')
    .values({ ...device, code_hash: codeHash, expires_at: expiresAt })
    .execute();
  return { code, expiresAt };
}

/** Redeems a code; null if it is unknown or expired. */
async function useDeviceCode(tx: Tx, codeHash: Buffer, now: Date): Promise<NewDevice | null> {
  const row = await tx
    .deleteFrom('device_codes')
    .where('code_hash', '=', codeHash)
    .returning(['store_id', 'name', 'station', 'expires_at'])
    .executeTakeFirst();
  if (!row || row.expires_at <= now) return null;
  const { expires_at: _expires, ...device } = row;
  return device;
}
