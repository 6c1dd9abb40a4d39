import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('every word of the catalogue is used', () => {
  const sources = globSync('src/**/*.{ts,tsx}', { exclude: ['src/messages.gen/**'] }).map((file) =>
    readFileSync(file, 'utf8'),
  );
  const used = new Set(sources.flatMap((source) => source.match(/\b[a-z]+(?:_[a-z0-9]+)+\b/g) ?? []));
  const catalogues = globSync('src/*/messages.en.json');
  const words = catalogues.flatMap((file) => Object.keys(JSON.parse(readFileSync(file, 'utf8')) as object));
  expect(words.length).toBeGreaterThan(100);
  expect(words.filter((word) => word !== '$schema' && !used.has(word))).toEqual([]);
});
