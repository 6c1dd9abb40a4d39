import { AsyncLocalStorage } from 'node:async_hooks';

/** Milliseconds that one statement may take while a caller waits for the answer. */
const usual = 2_500;
const chosen = new AsyncLocalStorage<number>();

/** Milliseconds after which a statement of the current call is given up together with its connection. */
export function statementLimit(): number {
  return chosen.getStore() ?? usual;
}

/** Runs work that may take longer: a migration, an export, a job. */
export function withStatementLimit<T>(milliseconds: number, work: () => T): T {
  return chosen.run(milliseconds, work);
}
