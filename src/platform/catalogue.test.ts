import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Variants {
  match: Record<string, string>;
}
type Catalogue = Record<string, string | Variants[]>;

const readCatalogue = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Catalogue;
const textsOf = (message: string | Variants[]) =>
  typeof message === 'string' ? [message] : message.flatMap(({ match }) => Object.values(match));
const inputsOf = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort();

test('what is said in Polish takes the same inputs as in English, in every plural that Polish has', () => {
  for (const file of globSync('src/*/messages.pl.json')) {
    const english = readCatalogue(file.replace('.pl.', '.en.'));
    for (const [key, message] of Object.entries(readCatalogue(file))) {
      const original = english[key];
      expect(original, `${key} is not in the English catalogue`).toBeDefined();
      const inputs = textsOf(original ?? '').map(inputsOf);
      for (const text of textsOf(message)) {
        expect(inputs, `${key}: ${text}`).toContainEqual(inputsOf(text));
        expect(text.trim(), key).not.toBe('');
      }
      const isPlain = typeof message === 'string';
      expect(isPlain, `${key} has plurals in one language alone`).toBe(typeof original === 'string');
      const forms = isPlain ? [] : Object.keys(message[0]?.match ?? {});
      const plurals = new Set(forms.flatMap((when) => /Plural=(\w+)/.exec(when)?.[1] ?? []));
      expect(plurals.size === 0 ? [] : ['few', 'many', 'one', 'other'], key).toEqual([...plurals].sort());
    }
  }
});

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
