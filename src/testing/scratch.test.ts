import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';

/** A process that uses a scratch folder, prints its path and then follows commands. */
const start = (then: string, environment: Record<string, string | undefined> = {}) =>
  [
    [
      '--input-type=module',
      '-e',
      `
    const { useScratchFolder } = await import('#testing/scratch.ts');
    useScratchFolder();
    console.log(process.env.TMPDIR);
    ${then}`,
    ],
    { env: { ...process.env, HATCH_SCRATCH: undefined, TMPDIR: undefined, ...environment } },
  ] as const;

test('a run has a folder of its own, which is removed when the run ends', () => {
  const [args, options] = start('');
  const folder = execFileSync(process.execPath, args, { ...options, encoding: 'utf8' }).trim();
  expect(basename(folder)).toMatch(/^hatch-run-\d+-/);
  expect(existsSync(folder)).toBe(false);
});

test('the processes that a run starts share its folder, and do not remove it', () => {
  const [args, options] = start('', { HATCH_SCRATCH: tmpdir(), TMPDIR: tmpdir() });
  const folder = execFileSync(process.execPath, args, { ...options, encoding: 'utf8' }).trim();
  expect(folder).toBe(tmpdir());
  expect(existsSync(folder)).toBe(true);
});

test('the next run removes the folder of a killed run, but not the folder of a run that continues', async () => {
  const run = async () => {
    const [args, options] = start('setInterval(() => {}, 1000);');
    const child = spawn(process.execPath, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
    const [said] = (await once(child.stdout, 'data')) as [Buffer];
    return { child, folder: said.toString().trim() };
  };
  const [killed, alive] = [await run(), await run()];
  const ended = once(killed.child, 'exit');
  killed.child.kill('SIGKILL');
  await ended;
  expect(existsSync(killed.folder)).toBe(true);
  const next = await run();
  expect([existsSync(killed.folder), existsSync(alive.folder)]).toEqual([false, true]);
  for (const { child } of [alive, next]) child.kill('SIGKILL');
  const [args, options] = start('');
  await Promise.all([alive, next].map(({ child }) => child.exitCode ?? child.signalCode ?? once(child, 'exit')));
  execFileSync(process.execPath, args, options);
  expect([existsSync(alive.folder), existsSync(next.folder)]).toEqual([false, false]);
});
