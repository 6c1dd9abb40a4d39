import { randomInt } from 'node:crypto';
import { deviceCodeSigns } from '#accounts/device-code.ts';
import { slowDigest } from '#accounts/server/hash-password.ts';
import type { Tx } from '#database/schema.ts';

/** Milliseconds. */
const validFor = 10 * 60_000;

interface NewDevice {
  store_id: string;
  name: string;
  station: string;
}

/** No code has its own, because the code alone finds the row. */
const nonce = Buffer.from('hatch device codes');

/** As slow as a password's: who has a copy of the database could try 40 bits out while the code is valid. */
export function digestDeviceCode(code: string, asker?: string): Promise<Buffer> {
  return slowDigest(code, nonce, asker);
}

/** A code for one device: 40 random bits, kept as a hash. */
export async function makeDeviceCode(tx: Tx, device: NewDevice, now: Date): Promise<{ code: string; expiresAt: Date }> {
  const code = Array.from({ length: 8 }, () => deviceCodeSigns[randomInt(deviceCodeSigns.length)]).join('');
  const expiresAt = new Date(now.getTime() + validFor);
  const codeHash = await digestDeviceCode(code);
  await tx
    .insertInto('device_codes')
    .values({ ...device, code_hash: codeHash, expires_at: expiresAt })
    .execute();
  return { code, expiresAt };
}

/** Uses a code up. null for an unknown one, and for one that is too old. */
export async function useDeviceCode(tx: Tx, codeHash: Buffer, now: Date): Promise<NewDevice | null> {
  const row = await tx
    .deleteFrom('device_codes')
    .where('code_hash', '=', codeHash)
    .returning(['store_id', 'name', 'station', 'expires_at'])
    .executeTakeFirst();
  if (!row || row.expires_at <= now) return null;
  const { expires_at: _expires, ...device } = row;
  return device;
}
