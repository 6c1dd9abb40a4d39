import { expect, test } from 'vitest';
import { DatabaseAway } from '#platform/server/database-away.ts';
import { createTurns } from '#platform/server/turns.ts';

/** Work that ends when the test says so. */
function held() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  return { work: () => promise, resolve, reject };
}

test('one works at a time, the others in the order in which they came, and with time between them', async () => {
  const turns = createTurns({ mostWaiting: 10, pause: 5 });
  const begun: number[] = [];
  const works = [1, 2, 3].map(() => held());
  const done = works.map(({ work }, index) =>
    turns.take(() => {
      begun.push(index);
      return work();
    }),
  );
  await Promise.resolve();
  expect(begun).toEqual([0]);
  works[0]?.reject(new Error('no'));
  await expect(done[0]).rejects.toThrow('no');
  expect(begun).toEqual([0]);
  works[1]?.resolve('second');
  expect(await done[1]).toBe('second');
  expect(begun).toEqual([0, 1]);
  works[2]?.resolve('third');
  expect(await done[2]).toBe('third');
  expect(await turns.take(async () => 'and one more')).toBe('and one more');
});

test('who would have to wait behind too many is told at once', async () => {
  const turns = createTurns({ mostWaiting: 1, pause: 0 });
  const first = held();
  const one = turns.take(first.work);
  const two = turns.take(async () => 'two');
  await expect(turns.take(async () => 'three')).rejects.toMatchObject({ code: 'unavailable' });
  first.resolve('one');
  expect(await Promise.all([one, two])).toEqual(['one', 'two']);
});

test('a database that is away answers everyone who waits', async () => {
  const turns = createTurns({ mostWaiting: 10, pause: 0 });
  const first = held();
  const all = [turns.take(first.work), turns.take(async () => 'two'), turns.take(async () => 'three')];
  first.reject(new DatabaseAway(new Error('gone')));
  const ends = await Promise.allSettled(all);
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(await turns.take(async () => 'again')).toBe('again');
});
