import { brotliDecompressSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { prebuildAnswer, recompressLater } from '#platform/server/prebuilt-answers.ts';

const quiet = 10_000;
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const words = 'Chicken tikka masala, pilau rice and a garlic naan. '.repeat(300);
const make = (name: string) => prebuildAnswer(`${name} ${words}`, 'text/plain', 'no-cache');

test('is recompressed after a quiet while, and not before', async () => {
  const bytes = await make('first');
  const quickly = bytes.br;
  recompressLater(bytes, () => true);
  vi.advanceTimersByTime(quiet - 1);
  expect(bytes.br).toBe(quickly);
  vi.advanceTimersByTime(1);
  vi.useRealTimers();
  await expect.poll(() => bytes.br !== quickly).toBe(true);
  expect(brotliDecompressSync(bytes.br).toString()).toBe(`first ${words}`);
  expect(bytes.br.length).toBeLessThanOrEqual(quickly.length);
});

test('is left as it is when it is no longer wanted, which does not hold up the next', async () => {
  const [gone, wanted] = [await make('gone'), await make('wanted')];
  const [asItWas, quickly] = [gone.br, wanted.br];
  recompressLater(gone, () => false);
  recompressLater(wanted, () => true);
  vi.advanceTimersByTime(quiet);
  vi.useRealTimers();
  await expect.poll(() => wanted.br !== quickly).toBe(true);
  expect(gone.br).toBe(asItWas);
});
