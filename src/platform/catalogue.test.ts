import { globSync, readFileSync } from 'node:fs';
import { parse, type Token } from '@messageformat/parser';
import { expect, test } from 'vitest';

type Catalogue = Record<string, string>;
type Tokens = readonly Token[];

const readCatalogue = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Catalogue;
/** Each text that a message can be, with what is chosen by: `count plural one`. */
function textsOf(tokens: Tokens): { inputs: string[]; forms: string[] }[] {
  return tokens.reduce(
    (texts, token) => {
      if (token.type === 'argument') return texts.map((text) => ({ ...text, inputs: [...text.inputs, token.arg] }));
      if (token.type !== 'plural' && token.type !== 'select') return texts;
      const cases = token.cases.flatMap(({ key, tokens }) =>
        textsOf(tokens).map(({ inputs, forms }) => ({
          inputs,
          forms: [`${token.arg} ${token.type} ${key}`, ...forms],
        })),
      );
      return texts.flatMap((text) =>
        cases.map(({ inputs, forms }) => ({
          inputs: [...text.inputs, ...inputs],
          forms: [...text.forms, ...forms],
        })),
      );
    },
    [{ inputs: [] as string[], forms: [] as string[] }],
  );
}
const inputsOf = ({ inputs }: { inputs: string[] }) => [...new Set(inputs)].sort();

test('what is said in Polish takes the same inputs as in English, in every plural that Polish has', () => {
  for (const file of globSync('src/*/messages.pl.json')) {
    const english = readCatalogue(file.replace('.pl.', '.en.'));
    for (const [key, message] of Object.entries(readCatalogue(file))) {
      const original = english[key];
      expect(original, `${key} is not in the English catalogue`).toBeDefined();
      expect(message.trim(), key).not.toBe('');
      const known = textsOf(parse(original ?? ''));
      const texts = textsOf(parse(message));
      for (const text of texts) expect(known.map(inputsOf), `${key}: ${message}`).toContainEqual(inputsOf(text));
      const pluralsOf = (all: typeof texts) =>
        all.flatMap(({ forms }) => forms.flatMap((form) => form.split(' plural ')[1] ?? []));
      expect(pluralsOf(texts).length > 0, `${key} has plurals in one language alone`).toBe(pluralsOf(known).length > 0);
      const plurals = new Set(pluralsOf(texts));
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
  expect(words.filter((word) => !used.has(word))).toEqual([]);
});
