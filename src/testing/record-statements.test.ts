import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { updateTakingsSums } from '#reports/server/sum-days.ts';
import { type Recorded, recordStatements, shapeOf } from '#testing/record-statements.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let folder: string;
beforeAll(async () => {
  app = await startTestApp();
  folder = await mkdtemp(join(tmpdir(), 'hatch-statements-'));
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

async function recorded(work: () => Promise<unknown>): Promise<Recorded[]> {
  const own = await mkdtemp(join(folder, 'run-'));
  const stop = recordStatements(own);
  await work().finally(stop);
  const texts = await Promise.all((await readdir(own)).map((name) => readFile(join(own, name), 'utf8')));
  return texts.flatMap((text) => text.trim().split('\n')).map((line) => JSON.parse(line) as Recorded);
}

test('what a call sends is recorded once, with its values and its place in the product', async () => {
  const token = await app.signIn('admin');
  const list = () => app.request('GET', '/v1/orders?search=byron&per_page=3', { token });
  const found = await recorded(() => list().then(list));
  const search = found.filter(({ text }) => text.includes('order_search'));
  expect(search.map(({ from }) => from.replace(/:\d+$/, ''))).toContain('src/ordering/server/list-orders.ts');
  expect(search.some(({ values }) => values.includes('%byron%'))).toBe(true);
  expect(new Set(found.map(({ text, values }) => shapeOf(text, values))).size).toBe(found.length);
});

test('what a test sends itself is not, unless the product wrote it', async () => {
  const found = await recorded(async () => {
    await sql`select 'of the test' from orders limit 1`.execute(app.database.db);
    await updateTakingsSums(app.database.db);
  });
  expect(found.filter(({ text }) => text.includes('of the test'))).toEqual([]);
  expect(found.map(({ from }) => from.replace(/:\d+$/, ''))).toContain('src/reports/server/sum-days.ts');
});

test('lists of other lengths, and rows more or fewer, are the same statement', () => {
  expect(shapeOf('where id in ($1, $2)', ['a', 'b'])).toBe(shapeOf('where id in ($1, $2, $3)', ['a', 'b', 'c']));
  const rows = (count: number) =>
    `values ${Array.from({ length: count }, (_, i) => `($${2 * i}, $${2 * i + 1})`).join(', ')}`;
  expect(shapeOf(rows(2), [])).toBe(shapeOf(rows(5), []));
  expect(shapeOf('where a = $1', ['x'])).not.toBe(shapeOf('where a = $1', [null]));
});
