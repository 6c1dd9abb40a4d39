import pg from 'pg';

/**
 * The database did not answer, or its answer cannot be relied on: it is gone, starting, full, or too slow. Whether a
 * running change was made is unknown. `cause` is the driver's error.
 */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super(`The database does not answer: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = 'DatabaseUnavailable';
  }

  /** A statement had its time. The database itself may be well. */
  get isTooSlow(): boolean {
    return this.cause instanceof Error && this.cause.message === 'Query read timeout';
  }

  /** There is no room on the database's disk. */
  get isDiskFull(): boolean {
    return this.cause instanceof pg.DatabaseError && this.cause.code === '53100';
  }
}

/**
 * PostgreSQL's error classes for this case: connection exceptions, insufficient resources (a full disk, too many
 * connections), an operator's intervention (shut down, starting, cancelled) and errors of its system.
 */
const awayState = /^(08|53|57|58)/;
/** A change refused because the database is a standby, or became read-only: after a failover another connection is needed. */
const readOnly = '25006';
/** The driver's own errors have no SQL state; an error about wrong arguments is not the database's. */
const ofDriver = /Connection terminated|Query read timeout|not queryable|timeout exceeded when trying to connect/;

/** Whether the same work may succeed a moment later on another connection. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  if (!(error instanceof Error)) return false;
  if (error instanceof pg.DatabaseError) return awayState.test(error.code ?? '') || error.code === readOnly;
  // Errors of the socket from the operating system: ECONNRESET, EPIPE.
  return ofDriver.test(error.message) || 'syscall' in error;
}
