import { join, relative } from 'node:path';
import type pg from 'pg';
import type { Db } from '#database/schema.ts';
import { createValueFeed } from '#platform/server/value-feed.ts';

/* Records how this process uses its database, for the metrics and the log. */

/** The outcome of each attempt at a transaction. `retried`: the transaction is rolled back and begins again. */
export const transactionOutcomeFeed = createValueFeed<'committed' | 'rolled_back' | 'retried'>();

export const poolWaitFeed = createValueFeed<{ pool: pg.Pool; seconds: number }>();

export interface SlowStatement {
  ms: number;
  statement: string;
  /**
   * The source line that sent the statement, as `src/ordering/server/order-views.ts:41`; null if the stack does not
   * show it.
   */
  from: string | null;
}

export const slowStatementMs = 200;
export const slowStatementFeed = createValueFeed<SlowStatement>();

/**
 * Records the statement if it was slow. Must be called in the statement's own asynchronous context, because the sender
 * is found on the stack.
 */
export function recordIfSlowStatement(text: string, ms: number): void {
  if (ms >= slowStatementMs)
    slowStatementFeed.note({ ms: Math.round(ms), statement: statementWithoutValues(text), from: senderOf() });
}

const longest = 300;

/** The text of a statement with `?` for each value in it, in one line of at most 300 characters. */
export function statementWithoutValues(text: string): string {
  const plain = text
    .replaceAll(/\/\*.*?\*\/|--[^\n]*/gs, ' ')
    .replaceAll(/\$(\w*)\$.*?\$\1\$/gs, '?')
    .replaceAll(/(?<!\w)(?:e'(?:[^'\\]|\\.|'')*'|[bx]?'(?:[^']|'')*')/gis, '?')
    .replaceAll(/(?<![\w$."])\d+(?:\.\d+)?/g, '?')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return plain.length > longest ? `${plain.slice(0, longest - 1)}…` : plain;
}

const root = join(import.meta.dirname, '..', '..');
/** Matches files that only pass statements on, and so never count as the sender of a statement. */
const passesOn = /^src\/(database\/(usage-metrics|connect|group-commit|transaction)|testing\/[^/]+)\.ts$/;

/**
 * The innermost source line on the stack whose file does not match `passesOn`; null: there is none. The stack includes
 * the functions that await this call.
 */
function senderOf(): string | null {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 60;
  const { stack = '' } = new Error('sender');
  Error.stackTraceLimit = limit;
  for (const line of stack.split('\n')) {
    const [, file = '', number] = /(?:file:\/\/)?(\/[^()]*?):(\d+):\d+\)?$/.exec(line) ?? [];
    if (!file.startsWith(root) || file.includes('/node_modules/')) continue;
    const path = relative(root, file);
    if (!passesOn.test(path)) return `${path}:${number}`;
  }
  return null;
}

const pools = new WeakMap<Db, pg.Pool>();

export function registerPool(db: Db, pool: pg.Pool): void {
  pools.set(db, pool);
}

export interface PoolState {
  busy: number;
  idle: number;
  waiting: number;
}

/** The pool of a database; null if `connect` did not open it. */
export function connectionPoolOf(db: Db): pg.Pool | null {
  return pools.get(db) ?? null;
}

export function poolStateOf({ totalCount, idleCount, waitingCount }: pg.Pool): PoolState {
  return { busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
}
