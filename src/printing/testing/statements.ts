import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { vi } from 'vitest';

const counts = new AsyncLocalStorage<{ statements: number }>();

/** How many statements `work` sends to the database; not those that timers and other work send meanwhile. */
export async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const real = pg.Client.prototype.query;
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const counting = counts.getStore();
    if (counting) counting.statements += 1;
    return Reflect.apply(real, this, args);
  });
  try {
    const counting = { statements: 0 };
    // Some work begins only when it is awaited.
    await counts.run(counting, async () => void (await work()));
    return counting.statements;
  } finally {
    spy.mockRestore();
  }
}
