import pg from 'pg';

/**
 * The error of an unreachable, starting, full or slow database. Whether a running change was committed is unknown.
 * `cause`: the driver's error.
 */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super(`The database does not answer: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = 'DatabaseUnavailable';
  }

  /** Whether a statement timed out; the database itself may be available. */
  get isTooSlow(): boolean {
    return this.cause instanceof Error && this.cause.message === 'Query read timeout';
  }

  get isDiskFull(): boolean {
    return this.cause instanceof pg.DatabaseError && this.cause.code === '53100';
  }
}

/**
 * PostgreSQL's error classes for connection exceptions, insufficient resources (disk, connections), operator
 * intervention (shutdown, start, cancel) and system errors.
 */
const awayState = /^(08|53|57|58)/;
/**
 * The SQL state with which a standby refuses a change. After a failover, an old connection may lead to a standby; a new
 * connection must replace it.
 */
const readOnly = '25006';
/**
 * Matches the driver's connection errors, which have no SQL state. The driver's other errors do not mean that the
 * database is unavailable.
 */
const ofDriver = /Connection terminated|Query read timeout|not queryable|timeout exceeded when trying to connect/;

export function isDatabaseUnavailableError(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  if (!(error instanceof Error)) return false;
  if (error instanceof pg.DatabaseError) return awayState.test(error.code ?? '') || error.code === readOnly;
  // A `syscall` marks socket errors of the operating system, such as ECONNRESET and EPIPE.
  return ofDriver.test(error.message) || 'syscall' in error;
}
