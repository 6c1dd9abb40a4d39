import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createOnDemandProcess } from '#platform/server/on-demand-process.ts';

const options = {
  module: new URL('../testing/repeat-worker.ts', import.meta.url),
  task: 'repeats',
  maxOldGenerationSizeMb: 64,
};

describe('an idle process', () => {
  const worker = createOnDemandProcess<unknown, unknown>(options);
  afterEach(() => worker.stop());

  it('answers each question, bytes too', async () => {
    const bytes = Uint8Array.of(1, 2, 255);
    expect(await Promise.all([worker.ask('a'), worker.ask({ bytes }), worker.ask(3)])).toEqual(['a', { bytes }, 3]);
  });

  it('gives what it throws to the one who asked, and goes on', async () => {
    await expect(worker.ask('throw')).rejects.toThrow('no answer');
    expect(await worker.ask('a')).toBe('a');
  });

  it('that ends refuses what was asked, and starts again with the next question', async () => {
    await expect(worker.ask('exit')).rejects.toThrow('The process that repeats has ended.');
    expect(await worker.ask('where')).toMatchObject({ questions: 1 });
  });

  it('refuses what was asked when it is stopped', async () => {
    await worker.ask('a');
    const asked = worker.ask('never').catch((error: unknown) => String(error));
    await worker.stop();
    expect(await asked).toContain('The shop is closing down.');
  });

  it('ends half a minute after the last question, but not while one is open', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      await worker.ask('a');
      vi.advanceTimersByTime(29_000);
      expect(await worker.ask('where')).toMatchObject({ questions: 2 });
      const open = worker.ask('never').catch((error: unknown) => String(error));
      vi.advanceTimersByTime(61_000);
      expect(await worker.ask('where')).toMatchObject({ questions: 4 });
      await worker.stop();
      expect(await open).toContain('closing down');
      await worker.ask('a');
      vi.advanceTimersByTime(31_000);
      expect(await worker.ask('where')).toMatchObject({ questions: 1 });
    } finally {
      vi.useRealTimers();
    }
  });
});

it('a process has no secret of the shop', async () => {
  vi.stubEnv('STRIPE_SECRET_KEY', 'sk_test_1');
  const worker = createOnDemandProcess(options);
  const found = await worker.ask('where');
  expect(found).toMatchObject({ secret: undefined });
  expect(found).not.toMatchObject({ pid: process.pid });
  await worker.stop();
});

it('keeps a program alive that only waits for an answer, and lets it end after the answer', async () => {
  const program = `
    import { createOnDemandProcess } from '#platform/server/on-demand-process.ts';
    const worker = createOnDemandProcess({ ...${JSON.stringify(options)}, module: new URL('${options.module.href}') });
    console.log(await worker.ask('first'), await worker.ask('second'));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  expect(stdout).toBe('first second\n');
});
