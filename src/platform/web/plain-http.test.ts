import { glob, readFile } from 'node:fs/promises';
import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => vi.unstubAllGlobals());

test('no browser code asks for what a browser has over HTTPS only', async () => {
  const found: string[] = [];
  for await (const file of glob('src/**/*.{ts,tsx}')) {
    if (/\/server\/|\.test\.|testing|messages\.gen/.test(file)) continue;
    // Only the app's pages run it, whose origin is secure wherever the shop is.
    if (file === 'src/accounts/web/app-sign-in.ts') continue;
    if (/\bcrypto\.(randomUUID|subtle)\b/.test(await readFile(file, 'utf8'))) found.push(file);
  }
  expect(found).toEqual([]);
});

test('ids are made without it', async () => {
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
  const browserBuild = new URL('../../../node_modules/uuid/dist/index.js', import.meta.url).href;
  const { v4, v7, version } = (await import(browserBuild)) as typeof import('uuid');
  expect([v4(), v7()].map(version)).toEqual([4, 7]);
  expect(new Set(Array.from({ length: 1000 }, () => v4())).size).toBe(1000);
});
