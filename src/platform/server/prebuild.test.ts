import { brotliDecompressSync } from 'node:zlib';
import { beforeEach, expect, test, vi } from 'vitest';
import { type Compressor, createCompressor, prebuild } from '#platform/server/prebuild.ts';

const quiet = 10_000;
let compressor: Compressor;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  compressor = createCompressor(quiet);
});

const words = 'Chicken tikka masala, pilau rice and a garlic naan. '.repeat(300);
const make = (name: string) => prebuild(`${name} ${words}`, 'text/plain', 'no-cache');

test('is recompressed when nothing new has come for a while, and not before', async () => {
  const [first, second] = [await make('first'), await make('second')];
  const [quickly, soon] = [first.br, second.br];
  compressor.later(first, () => true);
  vi.advanceTimersByTime(quiet - 1);
  compressor.later(second, () => true);
  vi.advanceTimersByTime(quiet - 1);
  expect([first.br, second.br]).toEqual([quickly, soon]);
  vi.advanceTimersByTime(1);
  vi.useRealTimers();
  await expect.poll(() => first.br !== quickly && second.br !== soon).toBe(true);
  expect(brotliDecompressSync(first.br).toString()).toBe(`first ${words}`);
  expect(second.br.length).toBeLessThanOrEqual(soon.length);
});

test('is left as it is when it is no longer wanted, which does not hold up the next', async () => {
  const [gone, wanted] = [await make('gone'), await make('wanted')];
  const [asItWas, quickly] = [gone.br, wanted.br];
  compressor.later(gone, () => false);
  compressor.later(wanted, () => true);
  vi.advanceTimersByTime(quiet);
  vi.useRealTimers();
  await expect.poll(() => wanted.br !== quickly).toBe(true);
  expect(gone.br).toBe(asItWas);
});

test('that comes while others are recompressed waits for a quiet of its own, and is not forgotten', async () => {
  const [first, next] = [await make('first'), await make('next')];
  const [quickly, soon] = [first.br, next.br];
  let needsAnswer = false;
  const wanted = () => (needsAnswer = true);
  compressor.later(first, () => {
    compressor.later(next, wanted);
    return true;
  });
  // The first is being recompressed when the next one's time has come.
  vi.advanceTimersByTime(quiet);
  vi.advanceTimersByTime(quiet);
  await expect.poll(() => first.br !== quickly).toBe(true);
  expect([needsAnswer, next.br]).toEqual([false, soon]);
  vi.advanceTimersByTime(quiet);
  await expect.poll(() => next.br !== soon).toBe(true);
});

test('is left as it is once the server stops', async () => {
  const bytes = await make('any');
  let asked = 0;
  compressor.later(bytes, () => {
    asked += 1;
    return true;
  });
  compressor.stop();
  vi.advanceTimersByTime(10 * quiet);
  expect(asked).toBe(0);
});

test('is recompressed at the latest when it has waited long, though it was never quiet', async () => {
  const [oldest, quickly] = await make('oldest').then((made) => [made, made.br] as const);
  compressor = createCompressor(quiet, 50);
  compressor.later(oldest, () => true);
  await vi.waitFor(async () => {
    compressor.later(await make('another'), () => false);
    vi.advanceTimersByTime(10);
    expect(oldest.br).not.toBe(quickly);
  }, 30_000);
});

test('is not recompressed when it comes after the server has stopped', async () => {
  const bytes = await make('late');
  compressor.stop();
  let needsAnswer = false;
  compressor.later(bytes, () => (needsAnswer = true));
  vi.advanceTimersByTime(quiet);
  expect(needsAnswer).toBe(false);
});
