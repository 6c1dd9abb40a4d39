import pg from 'pg';
import { isInTransaction } from '#database/transaction.ts';

const connect = pg.Pool.prototype.connect;

/**
 * From now on, asking a pool for a connection within a transaction throws. The transaction already holds one; if all
 * connections are held by transactions that wait for a second one, none of them can continue.
 */
export function refuseSecondConnections(): void {
  pg.Pool.prototype.connect = function connectOnce(this: pg.Pool, ...args: Parameters<typeof connect>) {
    if (isInTransaction()) throw new Error('A second connection was asked for within a transaction.');
    return connect.apply(this, args);
  } as typeof connect;
}
