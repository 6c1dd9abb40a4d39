import { createHash } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { OrdersTable } from '#database/schema.ts';
import type { InstallationKeys } from '#platform/server/secrets/installation-keys.ts';

export type SessionColumns = Pick<Selectable<OrdersTable>, 'session_hash' | 'session_sealed'>;

/** Hashes and encrypts orders' sessions, because a session gives access to the whole order. */
export interface OrderSessionCipher {
  columns(orderId: string, session: string): SessionColumns;
  /** Decrypts an order's session; null on an instance without the session's key. */
  open(order: Pick<Selectable<OrdersTable>, 'id' | 'session' | 'session_sealed'>): string | null;
}

export function createOrderSessionCipher(keys: Pick<InstallationKeys, 'seal'>): OrderSessionCipher {
  const seal = keys.seal('hatch order sessions');
  return {
    columns: (orderId, session) => ({
      session_hash: hashSession(session),
      session_sealed: seal.close(session.toLowerCase(), orderId),
    }),
    open: ({ id, session, session_sealed: sealed }) => session ?? (sealed && seal.open(sealed, id)),
  };
}

/**
 * The hash by which a session is looked up. It needs no key, so it is equal on every instance and after a restore.
 * Nobody can guess a session from its hash, because a session has 122 random bits.
 */
export function hashSession(session: string): Buffer {
  return createHash('sha256').update(session.toLowerCase()).digest();
}
