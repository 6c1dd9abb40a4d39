import pg from 'pg';

/**
 * The database gave no answer, or none that it stands by: it is gone, starting, full, or too slow. Whether a change that
 * was under way was made is unknown. `cause` is the driver's error.
 */
export class DatabaseAway extends Error {
  constructor(cause: unknown) {
    super(`The database does not answer: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = 'DatabaseAway';
  }

  /** There is no room on the database's disk. */
  get isDiskFull(): boolean {
    return this.cause instanceof pg.DatabaseError && this.cause.code === '53100';
  }
}

/**
 * PostgreSQL's classes of errors that say so: connection exceptions, insufficient resources (a full disk, too many
 * connections), an operator's intervention (shut down, starting, cancelled) and errors of its system.
 */
const awayState = /^(08|53|57|58)/;
/** Errors of the driver itself have no state, and a mistake in what it was given is not the database's. */
const ofDriver = /Connection terminated|Query read timeout|not queryable|timeout exceeded when trying to connect/;

/** Whether what failed with this may work a moment later, on another connection. */
export function isAway(error: unknown): boolean {
  if (error instanceof DatabaseAway) return true;
  if (!(error instanceof Error)) return false;
  if (error instanceof pg.DatabaseError) return awayState.test(error.code ?? '');
  // The system's own errors of a socket: ECONNRESET, EPIPE.
  return ofDriver.test(error.message) || 'syscall' in error;
}
