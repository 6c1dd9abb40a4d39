import { createHash } from 'node:crypto';

/** How tokens and codes are stored: the database never has what a caller sends. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
