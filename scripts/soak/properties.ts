import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { glob, readFile } from 'node:fs/promises';

const usual = 50;

/**
 * Runs every property test and model with `times` times as many cases as `npm test`: `npm run soak -- properties
 * [times]`. Returns whether all passed.
 */
export async function soakPropertyTests([times = String(usual)]: string[]): Promise<boolean> {
  if (!Number.isInteger(Number(times)) || Number(times) < 1) {
    console.error(`${times} is no number of times.`);
    return false;
  }
  const files: string[] = [];
  for await (const file of glob(['src/**/*.test.ts', 'scripts/**/*.test.ts', 'simulators/**/*.test.ts'])) {
    if (/from 'fast-check'|#testing\/draws/.test(await readFile(file, 'utf8'))) files.push(file);
  }
  // Only a hanging test reaches this timeout.
  const args = ['run', ...files, `--testTimeout=${60 * 60_000}`];
  const child = spawn('node_modules/.bin/vitest', args, {
    stdio: 'inherit',
    env: { ...process.env, HATCH_DRAWS: times },
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return code === 0;
}
