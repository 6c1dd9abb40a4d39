import { expect, test } from 'vitest';
import { createFairTurns } from '#platform/server/fair-turns.ts';

const limits = { atOnce: 1, mostOfOne: 3, mostOfAll: 5 };

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
  const turns = createFairTurns(limits);
  const { work, end, started } = openWork();
  const all = ['a1', 'a2', 'a3', 'b1'].map((name) => turns.take(name[0] ?? '', work(name)));
  for (const name of ['a1', 'a2', 'b1', 'a3']) await end(name);
  await Promise.all(all);
  expect(started()).toEqual(['a1', 'a2', 'b1', 'a3']);
});

test('no more runs at once than may, also after work that throws', async () => {
  const turns = createFairTurns({ ...limits, atOnce: 2 });
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
  const turns = createFairTurns(limits);
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
