import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { finished } from 'node:stream/promises';
import { stripVTControlCharacters } from 'node:util';

const folder = 'soak-results';

/**
 * Runs all tests this many times and returns whether all passed. Prints the failures of each run, and the durations.
 */
export async function soakTests([count = '5']: string[]): Promise<boolean> {
  const runs = Number(count);
  if (!Number.isInteger(runs) || runs < 1) {
    console.error(`${count} is no number of runs.`);
    return false;
  }
  await mkdir(folder, { recursive: true });
  const seconds: number[] = [];
  let isClean = true;
  for (let run = 1; run <= runs; run += 1) {
    const log = `${folder}/tests-${run}.log`;
    const { isGood, totals, failures, took } = await runTests(log);
    seconds.push(took);
    isClean &&= isGood;
    console.log(`${run} of ${runs}: ${totals} in ${minutes(took)}${isGood ? '' : ` (${log})`}`);
    for (const failure of failures) console.log(`    ${failure}`);
  }
  const sorted = seconds.toSorted((a, b) => a - b);
  const [least = 0, most = 0] = [sorted[0], sorted.at(-1)];
  const median = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
  console.log(`\nLeast ${minutes(least)}, median ${minutes(median)}, most ${minutes(most)}.`);
  console.log(isClean ? 'Nothing failed in any run.' : 'Not every run was clean.');
  return isClean;
}

async function runTests(log: string) {
  const started = performance.now();
  const child = spawn(process.execPath, ['scripts/test.ts'], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const file = createWriteStream(log);
  let totals = 'no totals';
  const failures: string[] = [];
  for (const output of [child.stdout, child.stderr]) {
    createInterface({ input: output }).on('line', (line) => {
      file.write(`${line}\n`);
      const plain = stripVTControlCharacters(line);
      if (/^\d+ passed, \d+ failed/.test(plain)) totals = plain;
      // Vitest and Playwright print such a line for each failed test.
      if (/│\s+(FAIL|✘)\s/.test(plain)) failures.push(plain.replace(/^.*│\s+/, ''));
    });
  }
  const code = await ended;
  file.end();
  await finished(file);
  return { isGood: code === 0, totals, failures, took: (performance.now() - started) / 1000 };
}

function minutes(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
