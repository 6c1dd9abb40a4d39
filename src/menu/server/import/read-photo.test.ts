import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readPhoto } from '#menu/server/import/read-photo.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'photos-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A stand-in for Tesseract that answers like it. */
function program(name: string, script: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n[ "$1" = --version ] && exit 0\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

test('a photo becomes words with their places; uncertain ones are left out', async () => {
  const rows = [
    ['level', 'page', 'block', 'par', 'line', 'word', 'left', 'top', 'width', 'height', 'conf', 'text'],
    ['4', '1', '1', '1', '1', '0', '10', '20', '200', '15', '-1', ''],
    ['5', '1', '1', '1', '1', '1', '10', '20', '80', '15', '96.1', 'Tea'],
    ['5', '1', '1', '1', '1', '2', '150', '20', '60', '15', '91', '£1.20'],
    ['5', '1', '1', '1', '1', '3', '290', '20', '9', '15', '4', '~'],
  ];
  const table = rows.map((row) => row.join('\\t')).join('\\n');
  const command = program('reads', `cat > /dev/null; printf '${table}\\n'`);
  expect(await readPhoto(Buffer.from('picture'), command)).toEqual([
    { text: 'Tea', x: 10, y: 20, width: 80, height: 15 },
    { text: '£1.20', x: 150, y: 20, width: 60, height: 15 },
  ]);
});

test('without the program, and for a picture that it refuses, the answer says so in words', async () => {
  await expect(readPhoto(Buffer.from('picture'), join(folder, 'missing'))).rejects.toThrow('not installed');
  await expect(readPhoto(Buffer.alloc(1_000_000), program('fails', 'exit 1'))).rejects.toMatchObject({
    detail: { errors: { body: [expect.stringContaining('good light')] } },
  });
});
