import { AsyncLocalStorage } from 'node:async_hooks';

/** Milliseconds that one statement may take while a caller waits for the answer. */
const usual = 2_500;
const chosen = new AsyncLocalStorage<number>();

const caller = new AsyncLocalStorage<AbortSignal>();

/** Runs reads for a caller: the statement that is running when they go is ended. */
export function forCaller<T>(gone: AbortSignal, work: () => T): T {
  return caller.run(gone, work);
}

/** Aborted once the caller of the current work has left; undefined: it is done in any case. */
export function callerGone(): AbortSignal | undefined {
  return caller.getStore();
}

/** The timeout of a statement of the current call, in milliseconds; its connection ends with it. */
export function statementLimit(): number {
  return chosen.getStore() ?? usual;
}

/** Runs work that may take longer: a migration, an export, a job. */
export function withStatementLimit<T>(milliseconds: number, work: () => T): T {
  return chosen.run(milliseconds, work);
}
