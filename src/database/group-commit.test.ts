import { expect, test } from 'vitest';
import { groupCommit } from '#database/group-commit.ts';

/** A writer that answers when it is told to, with each entry doubled. */
function aWriter(largest?: number) {
  const batches: { entries: readonly number[]; answer: PromiseWithResolvers<readonly number[]> }[] = [];
  const commit = groupCommit<number, number>((entries) => {
    const answer = Promise.withResolvers<readonly number[]>();
    batches.push({ entries, answer });
    return answer.promise;
  }, largest);
  const finish = (index: number) => {
    const batch = batches[index];
    batch?.answer.resolve(batch.entries.map((entry) => entry * 2));
  };
  return { commit, batches, finish };
}

test('entries that arrive while a batch is written form the next one, and each gets its own answer', async () => {
  const { commit, batches, finish } = aWriter();
  const first = commit.add(1);
  await expect.poll(() => batches.length).toBe(1);
  const later = [commit.add(2), commit.add(3)];
  finish(0);
  expect(await first).toBe(2);
  await expect.poll(() => batches.length).toBe(2);
  finish(1);
  expect(await Promise.all(later)).toEqual([4, 6]);
  expect(batches.map(({ entries }) => entries)).toEqual([[1], [2, 3]]);
});

test('a batch is no larger than allowed', async () => {
  const { commit, batches, finish } = aWriter(2);
  const added = Promise.all([1, 2, 3].map((entry) => commit.add(entry)));
  await expect.poll(() => batches.length).toBe(1);
  finish(0);
  await expect.poll(() => batches.length).toBe(2);
  finish(1);
  expect(await added).toEqual([2, 4, 6]);
});

test('an answer that is not for every entry is an error for all of them', async () => {
  const { commit, batches } = aWriter();
  const ends = Promise.allSettled([commit.add(1), commit.add(2)]);
  await expect.poll(() => batches.length).toBe(1);
  batches[0]?.answer.resolve([2]);
  await expect.poll(() => batches.length).toBe(3);
  batches[1]?.answer.resolve([]);
  batches[2]?.answer.resolve([4]);
  expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
});
