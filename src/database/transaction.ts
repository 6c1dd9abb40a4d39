import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyBaseLogger } from 'fastify';
import type { Db, Tx } from '#database/schema.ts';
import { transactionOutcomeFeed } from '#database/usage-metrics.ts';
import {
  type RegisterAfterCommit,
  type AfterCommitEffect,
  runAfterCommitEffects,
} from '#platform/http/audited-call.ts';

const tries = 3;
/** PostgreSQL's codes of a serialization failure and a deadlock, after which a transaction may be retried. */
const transient = new Set(['40001', '40P01']);
/** The functions to call after the commit of the current transaction (`runAfterCommit`). */
const holding = new AsyncLocalStorage<(() => void)[]>();

/**
 * Runs `work` in a transaction on one connection. `work` must not take a second connection from the pool. If all
 * connections were held by transactions that wait for a second connection, none would continue. The transaction is
 * retried after a conflict with another transaction, so effects of `work` outside the database must be idempotent.
 */
export function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return withTransactionRetries(async () => {
    const notes: (() => void)[] = [];
    const made = await db.transaction().execute((tx) => holding.run(notes, () => work(tx)));
    for (const note of notes) note();
    transactionOutcomeFeed.note('committed');
    return made;
  });
}

/**
 * Calls `note`, such as a count for the metrics, after the current transaction's commit. Without a current transaction,
 * calls it at once.
 */
export function runAfterCommit(note: () => void): void {
  const notes = holding.getStore();
  if (notes) notes.push(note);
  else note();
}

/**
 * Runs `work` by `inTransaction`. After the commit it runs the effects that `work` passed to `afterCommit`. A failed
 * effect is only logged: the change is committed, and the other effects run.
 */
export async function changeWithEffects<T>(
  { db, log }: { db: Db; log: Pick<FastifyBaseLogger, 'error'> },
  work: (tx: Tx, afterCommit: RegisterAfterCommit) => Promise<T>,
): Promise<T> {
  let effects: AfterCommitEffect[] = [];
  const made = await inTransaction(db, (tx) => {
    effects = [];
    return work(tx, (effect) => void effects.push(effect));
  });
  await runAfterCommitEffects(effects, log);
  return made;
}

export async function withTransactionRetries<T>(transaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transaction();
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      const isLast = attempt >= tries || !transient.has(code);
      transactionOutcomeFeed.note(isLast ? 'rolled_back' : 'retried');
      if (isLast) throw error;
    }
  }
}

export function inSnapshot<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((tx) => holding.run([], () => work(tx)));
}

export function isInTransaction(): boolean {
  return holding.getStore() !== undefined;
}

/** Milliseconds for one statement, unless `withStatementTimeout` sets another timeout. */
const usual = 2_500;
const chosen = new AsyncLocalStorage<number>();

const caller = new AsyncLocalStorage<AbortSignal>();

/**
 * Runs `work`, which only reads, for a caller. `gone` is aborted when the caller disconnects, and the abort cancels the
 * running statement.
 */
export function withCallerSignal<T>(gone: AbortSignal, work: () => T): T {
  return caller.run(gone, work);
}

/** A signal that is aborted when the caller disconnects; undefined for work without a caller. */
export function callerSignal(): AbortSignal | undefined {
  return caller.getStore();
}

/** The timeout of the current work's statements, in milliseconds. After a timeout the connection is dropped. */
export function currentStatementTimeoutMs(): number {
  return chosen.getStore() ?? usual;
}

/** Runs `work` with another timeout of its statements, such as a longer one for a migration, an export or a job. */
export function withStatementTimeout<T>(milliseconds: number, work: () => T): T {
  return chosen.run(milliseconds, work);
}
