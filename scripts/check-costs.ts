import { readFile } from 'node:fs/promises';
import { findExcessiveCosts, type FileCost, type Limits } from './costs.ts';

// `node scripts/check-costs.ts SECONDS` compares the processor time of a test run (SECONDS), and of its test files,
// with costs.json. It exits with 1 above a limit.

const total = Number(process.argv[2]);
const build = (await read<{ processor: number }>('../dist/build.json')).processor;
const costs = await read<FileCost[]>('../dist/test-costs.json');
const limits = await read<Limits>('./costs.json');
if (!(total > 0 && build > 0 && costs.length > 0))
  throw new Error('The run, its build or its tests were not measured.');
console.log(
  `\nThe run took ${total.toFixed(0)} s of processor: ${(total / build).toFixed(1)} page builds of ${build.toFixed(1)} s, ` +
    `of which ${limits.ratio} are allowed.`,
);
const excess = findExcessiveCosts({ total, build, costs }, limits);
for (const line of excess) console.log(line);
if (excess.length > 0) {
  console.log('Take work away, or say in scripts/costs.json why it is worth its time.');
  process.exit(1);
}

async function read<T>(file: string): Promise<T> {
  return JSON.parse(await readFile(new URL(file, import.meta.url), 'utf8')) as T;
}
