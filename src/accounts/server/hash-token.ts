import { createHash } from 'node:crypto';

/** The stored form of tokens and codes: the database never has the sent one. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
