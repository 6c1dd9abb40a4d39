import { AsyncLocalStorage } from 'node:async_hooks';

/** Milliseconds that one statement may take while somebody waits for the answer. */
const usual = 2_500;
const chosen = new AsyncLocalStorage<number>();

/** Milliseconds after which a statement of what runs now is given up, and its connection with it. */
export function patience(): number {
  return chosen.getStore() ?? usual;
}

/** Runs what may take longer: a migration, an export, a job. */
export function withPatience<T>(milliseconds: number, work: () => T): T {
  return chosen.run(milliseconds, work);
}
