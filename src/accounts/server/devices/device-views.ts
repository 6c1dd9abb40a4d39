import { sql } from 'kysely';
import type { User } from '#accounts/contract.ts';
import type { Device } from '#accounts/device-contract.ts';
import type { DeviceRow } from '#accounts/server/devices/device-tokens.ts';
import type { Viewer } from '#platform/http/viewer.ts';

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

/** A device where a page asks who is signed in. */
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

/** Names for the audit log. */
export const namedDevices = sql`select id, name from devices`;
