import { expect, test } from 'vitest';
import { DatabaseUnavailable } from '#platform/server/database-unavailable.ts';
import { createFairQueue, createSerialQueue } from '#platform/server/call-queues.ts';

/** Work that ends when the test says so. */
function held() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  return { work: () => promise, resolve, reject };
}

test('one works at a time, the others in the order in which they came, and with time between them', async () => {
  const turns = createSerialQueue({ maxWaiting: 10, pause: 5 });
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
  const turns = createSerialQueue({ maxWaiting: 1, pause: 0 });
  const first = held();
  const one = turns.take(first.work);
  const two = turns.take(async () => 'two');
  await expect(turns.take(async () => 'three')).rejects.toMatchObject({ code: 'unavailable' });
  first.resolve('one');
  expect(await Promise.all([one, two])).toEqual(['one', 'two']);
});

test('a database that is away answers everyone who waits', async () => {
  const turns = createSerialQueue({ maxWaiting: 10, pause: 0 });
  const first = held();
  const all = [turns.take(first.work), turns.take(async () => 'two'), turns.take(async () => 'three')];
  first.reject(new DatabaseUnavailable(new Error('gone')));
  const ends = await Promise.allSettled(all);
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(await turns.take(async () => 'again')).toBe('again');
});

const limits = { atOnce: 1, maxOfOne: 3, maxOfAll: 5 };

/** Work that ends when it is told to. */
function openWork() {
  const done: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () =>
    new Promise<string>((resolve) => {
      ends.set(name, () => {
        done.push(name);
        resolve(name);
      });
    });
  const end = async (name: string) => {
    await expect.poll(() => ends.has(name)).toBe(true);
    ends.get(name)?.();
  };
  return { done, work, end, started: () => [...ends.keys()] };
}

test('whoever asks for much waits for their own; another’s turn is next', async () => {
  const turns = createFairQueue(limits);
  const { work, end, started } = openWork();
  const all = ['a1', 'a2', 'a3', 'b1'].map((name) => turns.take(name[0] ?? '', work(name)));
  for (const name of ['a1', 'a2', 'b1', 'a3']) await end(name);
  await Promise.all(all);
  expect(started()).toEqual(['a1', 'a2', 'b1', 'a3']);
});

test('no more runs at once than may, also after work that throws', async () => {
  const turns = createFairQueue({ ...limits, atOnce: 2 });
  const { work, end, started } = openWork();
  const failed = turns.take('a', () => Promise.reject(new Error('broken')));
  await expect(failed).rejects.toThrow('broken');
  const all = ['a1', 'a2', 'b1'].map((name) => turns.take(name[0] ?? '', work(name)));
  await expect.poll(() => started()).toEqual(['a1', 'a2']);
  await end('a2');
  await end('b1');
  await end('a1');
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'b1']);
});

test('what is too much is refused at once: of one by 429, of all by 503', async () => {
  const turns = createFairQueue(limits);
  const { work, end } = openWork();
  const names = ['a1', 'a2', 'a3', 'a4'];
  const taken = names.map((name) => turns.take('a', work(name)));
  await expect(turns.take('a', work('a5'))).rejects.toMatchObject({ code: 'too_many_requests' });
  const others = ['b1', 'c1'].map((name) => turns.take(name, work(name)));
  await expect(turns.take('d', work('d1'))).rejects.toMatchObject({ code: 'unavailable' });
  for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'a4']) await end(name);
  await Promise.all([...taken, ...others]);
  // Nothing waits any more, so there is room again.
  const again = turns.take('a', work('a6'));
  await end('a6');
  expect(await again).toBe('a6');
});
