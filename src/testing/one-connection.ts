import pg from 'pg';
import { holdsConnection } from '#database/transaction.ts';

const connect = pg.Pool.prototype.connect;

/**
 * From now on, whoever asks a pool for a connection within a transaction is refused: it holds one already, and when all
 * are held by those who wait for a second, nobody goes on.
 */
export function refuseSecondConnections(): void {
  pg.Pool.prototype.connect = function connectOnce(this: pg.Pool, ...args: Parameters<typeof connect>) {
    if (holdsConnection()) throw new Error('A second connection was asked for within a transaction.');
    return connect.apply(this, args);
  } as typeof connect;
}
