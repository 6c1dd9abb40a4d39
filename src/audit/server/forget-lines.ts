import type { FastifyBaseLogger } from 'fastify';
import { forgetAuditBefore } from '#database/audit-chain.ts';
import type { Db } from '#database/schema.ts';
import { withStatementLimit } from '#database/transaction.ts';
import { startSweep, type Sweep } from '#platform/server/sweep.ts';
import { keptMonths } from '#store/server/store-views.ts';

const every = 60 * 60_000;

/** Removes the lines of the audit log that are older than the shops' longest time. */
export function startForgettingLines(services: {
  clock: { isTrusted(): boolean };
  db: Db;
  log: FastifyBaseLogger;
  now: () => Date;
}): Sweep & { sweep(): Promise<number> } {
  const { clock, db, log } = services;
  const sweep = async () => {
    const { audit: months } = await keptMonths(db);
    if (months === null) return 0;
    const before = new Date(services.now());
    before.setUTCMonth(before.getUTCMonth() - months);
    return withStatementLimit(60_000, () => forgetAuditBefore(db, before));
  };
  return { sweep, ...startSweep({ name: 'old audit lines', every, log, clock }, sweep) };
}
