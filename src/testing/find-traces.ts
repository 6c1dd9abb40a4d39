import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { readDump } from '#testing/read-dump.ts';
import type { TestApp } from '#testing/test-app.ts';

/**
 * Every place in the whole database, in every schema, and in the mails on the disk, where one of the texts stands. They
 * are in small letters.
 */
export async function findTraces({ database: { db }, services }: TestApp, texts: readonly string[]): Promise<string[]> {
  const dump = await readDump(db);
  expect(dump.size).toBeGreaterThan(60);
  const found: string[] = [];
  for (const [table, rows] of dump) {
    for (const trace of texts)
      if (rows.some((row) => row.toLowerCase().includes(trace))) found.push(`${table}: ${trace}`);
  }
  const folder = join(services.config.dataDir, 'mail');
  for (const file of await readdir(folder).catch(() => [])) {
    const text = (await readFile(join(folder, file), 'utf8')).toLowerCase();
    for (const trace of texts) if (text.includes(trace)) found.push(`mail file: ${trace}`);
  }
  return [...new Set(found)].toSorted();
}
