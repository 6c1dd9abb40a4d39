import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';

const sources = [
  'vite.config.ts',
  'scripts/build.ts',
  'scripts/compile-messages.ts',
  'package-lock.json',
  'scripts/print-api-viewer.ts',
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

test('after a first start, the files that were compressed fast are compressed thoroughly', async () => {
  const assets = join(folder, 'dist/client/assets');
  await mkdir(assets, { recursive: true });
  const script = await readFile('src/server.ts');
  const fast = brotliCompressSync(script, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
  await writeFile(join(assets, 'page.js'), script);
  await writeFile(join(assets, 'page.js.br'), fast);
  await writeFile(join(folder, 'dist/build.json'), '{"sources":"abc","processor":6,"isThorough":false}');
  await promisify(execFile)(process.execPath, ['scripts/build.ts', '--recompress'], { cwd: folder });
  const thorough = await readFile(join(assets, 'page.js.br'));
  expect(thorough.length).toBeLessThan(fast.length);
  expect(brotliDecompressSync(thorough)).toEqual(script);
  expect(gunzipSync(await readFile(join(assets, 'page.js.gz')))).toEqual(script);
  expect((await readdir(assets)).toSorted()).toEqual(['page.js', 'page.js.br', 'page.js.gz']);
  expect(JSON.parse(await readFile(join(folder, 'dist/build.json'), 'utf8'))).toEqual({
    sources: 'abc',
    processor: 6,
    isThorough: true,
  });
});
