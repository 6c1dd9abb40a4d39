import { hash, randomBytes } from 'node:crypto';
import { equalInConstantTime } from '#platform/server/secrets/equal-in-constant-time.ts';

/** 256 random bits as text, for a printer to poll with. Shown once; the database has its hash. */
export function newPrinterSecret(): string {
  return randomBytes(32).toString('base64url');
}

export function hashPrinterSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** Compares in constant time. A printer without a secret takes none. */
export function isPrinterSecret({ secret_hash: known }: { secret_hash: Buffer | null }, given: string): boolean {
  return known !== null && equalInConstantTime(known, hashPrinterSecret(given));
}

/** The user name that a printer polls with: its id in 22 letters, because some printers keep no more than 30. */
export function usernameOf(printerId: string): string {
  return toShort(printerId);
}

/** A UUID in 22 letters, and back. */
export function toShort(uuid: string): string {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex').toString('base64url');
}

export function fromShort(short: string): string {
  const hex = Buffer.from(short, 'base64url').toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
