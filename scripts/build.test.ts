import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
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
