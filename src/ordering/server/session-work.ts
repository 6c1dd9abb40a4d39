import { sql } from 'kysely';
import type { DueWork } from '#database/jobs/due-work.ts';
import { inTransaction } from '#database/transaction.ts';
import { sealSessions } from '#ordering/server/change-orders.ts';
import type { OrderServices } from '#ordering/server/services.ts';

const atOnce = 500;

/** Encrypts the sessions that an earlier release wrote, soon after the start and while it still runs beside this one. */
export function sessionWork({ db, orderSessions }: Pick<OrderServices, 'db' | 'orderSessions'>): DueWork<boolean> {
  return {
    name: 'order sessions',
    due: () => sql<boolean>`exists (select from orders where session is not null)`,
    work: () => inTransaction(db, (tx) => sealSessions(tx, orderSessions, atOnce)),
  };
}
