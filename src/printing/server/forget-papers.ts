import type { FastifyBaseLogger } from 'fastify';
import type { Db } from '#database/schema.ts';
import { startSweep, type Sweep, type SweepPlan } from '#platform/server/sweep.ts';

/** Days for which the ledger stores a paper's text, and prints without an order. */
const keptDays = 30;
const every = 60 * 60_000;

/**
 * Removes old papers, which name customers, and old tests and drafts. The other prints stay: they belong to the order's
 * record.
 */
export async function forgetPapers(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptDays * 24 * 60 * 60_000);
  await db
    .updateTable('prints')
    .set({ source: null })
    .where('source', 'is not', null)
    .where('created_at', '<', before)
    .execute();
  await db.deleteFrom('prints').where('order_id', 'is', null).where('created_at', '<', before).execute();
}

export function startForgettingPapers(services: {
  clock: NonNullable<SweepPlan['clock']>;
  db: Db;
  log: FastifyBaseLogger;
  now(): Date;
}): Sweep {
  const { clock, db, log, now } = services;
  return startSweep({ name: 'papers', every, log, clock }, () => forgetPapers(db, now()));
}
