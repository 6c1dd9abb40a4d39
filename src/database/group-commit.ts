import { DatabaseUnavailable } from '#platform/server/database-unavailable.ts';

export interface GroupCommit<T, R> {
  /** Resolves after the commit, with the result of `write` for this entry. */
  add(entry: T): Promise<R>;
}

const largestBatch = 64;

/**
 * Writes concurrent entries in batches: while one batch is written, new entries wait for the next one. A single entry
 * never waits for a batch to fill, and many entries share one flush of the disk. `write` returns one result per entry,
 * in order.
 */
export function groupCommit<T, R>(
  write: (batch: readonly T[]) => Promise<readonly R[]>,
  largest = largestBatch,
): GroupCommit<T, R> {
  type Waiting = { entry: T; settle: PromiseWithResolvers<R> };
  let waiting: Waiting[] = [];
  let isWriting = false;

  const flush = async () => {
    isWriting = true;
    const batch = waiting.splice(0, largest);
    try {
      await writeAll(batch);
    } catch (error) {
      // The waiting entries are refused together with the batch, because each further batch would fail in the same way.
      if (error instanceof DatabaseUnavailable)
        for (const { settle } of [...batch, ...waiting.splice(0)]) settle.reject(error);
      // A refused entry must not fail the other entries of its batch, so they are written one by one.
      else if (batch.length === 1) batch[0]?.settle.reject(error);
      else await Promise.all(batch.map((one) => writeAll([one]).catch(one.settle.reject)));
    } finally {
      isWriting = false;
      if (waiting.length > 0) void flush();
    }
  };

  const writeAll = async (batch: readonly Waiting[]) => {
    const results = await write(batch.map(({ entry }) => entry));
    if (results.length !== batch.length) throw new Error('a batch was not answered in full');
    results.forEach((result, index) => batch[index]?.settle.resolve(result));
  };

  return {
    add(entry) {
      const settle = Promise.withResolvers<R>();
      waiting.push({ entry, settle });
      if (!isWriting) setImmediate(() => !isWriting && waiting.length > 0 && void flush());
      return settle.promise;
    },
  };
}
