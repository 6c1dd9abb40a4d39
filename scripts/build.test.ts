import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';

const sources = [
  'vite.config.ts',
  'scripts/build.ts',
  'scripts/compile-messages.ts',
  'package-lock.json',
  'scripts/write-api-viewer.ts',
];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hatch-without-tools-'));
  await mkdir(join(folder, 'scripts'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  for (const name of sources) await copyFile(name, join(folder, name));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

test('if the pages are not built and cannot be built, the start ends with a message about what to do', async () => {
  const start = promisify(execFile)(process.execPath, ['scripts/build.ts', '--if-needed'], { cwd: folder });
  await expect(start).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(/vite[^]*npm ci[^]*dist/) });
});

test('after a first start, files by Brotli are added, and none that a visitor may be reading is replaced', async () => {
  const assets = join(folder, 'dist/client/assets');
  await mkdir(assets, { recursive: true });
  const script = await readFile('src/server.ts');
  await writeFile(join(assets, 'page.js'), script);
  await writeFile(join(assets, 'page.js.gz'), gzipSync(script));
  await writeFile(join(assets, 'other.js'), script);
  await writeFile(join(assets, 'other.js.br'), 'from an earlier run');
  await writeFile(join(folder, 'dist/build.json'), '{"sources":"abc","processor":6,"hasBrotli":false}');
  const places = async (names: string[]) =>
    Promise.all(names.map(async (name) => (await stat(join(assets, name), { bigint: true })).ino));
  const earlier = await readdir(assets);
  const before = await places(earlier);
  await promisify(execFile)(process.execPath, ['scripts/build.ts', '--add-brotli'], { cwd: folder });
  expect(await places(earlier)).toEqual(before);
  expect(brotliDecompressSync(await readFile(join(assets, 'page.js.br')))).toEqual(script);
  expect((await readdir(assets)).toSorted()).toEqual([...earlier, 'page.js.br'].toSorted());
  expect(JSON.parse(await readFile(join(folder, 'dist/build.json'), 'utf8'))).toEqual({
    sources: 'abc',
    processor: 6,
    hasBrotli: true,
  });
});
