import { createHmac, randomBytes } from 'node:crypto';
import { equalInConstantTime } from '#platform/server/secrets/secret-store.ts';

/* TOTP (RFC 6238) with the parameters that every app supports: SHA-1, six digits, thirty seconds. */

const stepSeconds = 30;
const digits = 6;
/** How many time steps before and after the present one are accepted, for wrong clocks and slow typing. */
const tolerated = 1;
const signs = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** A new random secret of 160 bits, as RFC 4226 recommends. */
export function newTotpSecret(): Buffer {
  return randomBytes(20);
}

/** The code of a time step: HOTP (RFC 4226) with the step as the counter. */
export function totpCodeOf(secret: Buffer, step: number, length = digits): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  const number = mac.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** length).padStart(length, '0');
}

export function totpStepAt(time: Date): number {
  return Math.floor(time.getTime() / 1000 / stepSeconds);
}

/**
 * The time step of a typed code. null: the code is wrong, or its step is not later than `after`, the step of the last
 * used code.
 */
export function findTotpStep(secret: Buffer, code: string, now: Date, after: number): number | null {
  const typed = code.replaceAll(/\s/g, '');
  for (let step = totpStepAt(now) - tolerated; step <= totpStepAt(now) + tolerated; step += 1) {
    if (step > after && equalInConstantTime(typed, totpCodeOf(secret, step))) return step;
  }
  return null;
}

/** Encodes a secret in base32, for typing into an app. */
export function encodeTotpSecret(secret: Buffer): string {
  const bits = [...secret].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((part) => signs[Number.parseInt(part.padEnd(5, '0'), 2)]).join('');
}

export function totpUrl(secret: Buffer, { account, issuer }: { account: string; issuer: string }): string {
  const query = new URLSearchParams({ secret: encodeTotpSecret(secret), issuer });
  // Blanks are encoded as `%20`, because some apps show a `+` literally.
  return `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(account)}?${query.toString().replaceAll('+', '%20')}`;
}
