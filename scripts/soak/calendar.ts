import { spawn } from 'node:child_process';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { calendarVariable } from '../../src/testing/calendar-clock.ts';
import { useScratchFolder } from '../../src/testing/scratch.ts';
import { readUnitTestReport } from '../test-reports.ts';

/** The times at which date rules are likely to fail. Each run begins at one of these times and lasts for minutes. */
const days: Record<string, string> = {
  'new-year': '2026-12-31T23:50:00Z',
  'clocks-forward': '2027-03-28T00:30:00Z',
  'end-of-month': '2027-04-30T18:00:00Z',
  'clocks-back': '2027-10-31T00:30:00Z',
  'in-a-year': '2027-11-27T12:00:00Z',
  'leap-day': '2028-02-29T12:00:00Z',
  'in-five-years': '2031-11-27T12:00:00Z',
  'in-twelve-years': '2038-12-31T22:00:00Z',
  'in-thirteen-years': '2039-11-27T12:00:00Z',
};
const folder = 'soak-results';
const library = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';

/**
 * Runs all unit tests on each of these dates, or on the named ones, with the clocks of Node and PostgreSQL moved. An
 * argument with a slash selects test files. Returns whether all passed.
 */
export async function soakDates(args: string[]): Promise<boolean> {
  const paths = args.filter((each) => each.includes('/'));
  const named = args.filter((each) => !each.includes('/'));
  const unknown = named.filter((each) => !Object.hasOwn(days, each));
  if (unknown.length > 0) {
    console.error(`No such day: ${unknown.join(', ')}. There are ${Object.keys(days).join(', ')}.`);
    return false;
  }
  if (!existsSync(library)) {
    console.error(`Debian's libfaketime is missing: apt-get install libfaketime`);
    return false;
  }
  await mkdir(folder, { recursive: true });
  useScratchFolder();
  let isGood = true;
  for (const day of named.length > 0 ? named : Object.keys(days)) isGood = (await runOn(day, paths)) && isGood;
  return isGood;
}

async function runOn(day: string, paths: readonly string[]): Promise<boolean> {
  const begin = days[day] ?? '';
  const seconds = Math.round((Date.parse(begin) - Date.now()) / 1000);
  const report = `${folder}/calendar-${day}.json`;
  const log = createWriteStream(`${folder}/calendar-${day}.log`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...paths, ...reporters], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      [calendarVariable]: String(seconds),
      NODE_OPTIONS: `--import ${pathToFileURL('src/testing/calendar-clock.ts').href}`,
    },
  });
  for (const output of [child.stdout, child.stderr]) output.pipe(log, { end: false });
  const isGood = await new Promise<boolean>((resolve) => child.once('close', (code) => resolve(code === 0)));
  log.end();
  await finished(log);
  const result = await readUnitTestReport(report, isGood, new Map());
  console.log(`${day} (${begin}): ${result?.passed ?? 0} passed, ${result?.failed ?? 1} failed`);
  for (const { test, error } of result?.failures ?? []) console.log(`    ${test}: ${error.split('\n')[0]}`);
  return isGood && result !== null;
}
