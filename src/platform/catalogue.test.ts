import { globSync, readFileSync } from 'node:fs';
import { parse, type Token } from '@messageformat/parser';
import { expect, test } from 'vitest';
import { keysOf } from '#platform/keys-of.ts';
import { boardLanguages } from '#platform/languages.ts';

type Catalogue = Record<string, string>;
type Tokens = readonly Token[];

const readCatalogue = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Catalogue;
const wholeCatalogue = (language: string): Catalogue =>
  Object.assign({}, ...globSync(`src/*/messages.${language}.json`).map(readCatalogue));
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

test('a translation takes the same inputs as the English, in every plural that its language has', () => {
  const english = wholeCatalogue('en');
  for (const language of keysOf(boardLanguages).filter((each) => each !== 'en')) {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted();
    for (const [key, message] of Object.entries(wholeCatalogue(language))) {
      const original = english[key];
      expect(original, `${key} is not in the English catalogue`).toBeDefined();
      expect(message.trim(), key).not.toBe('');
      const known = textsOf(parse(original ?? ''));
      const texts = textsOf(parse(message));
      for (const text of texts) expect(known.map(inputsOf), `${key}: ${message}`).toContainEqual(inputsOf(text));
      const choicesOf = (all: typeof texts, kind: string) =>
        [...new Set(all.flatMap(({ forms }) => forms.flatMap((form) => form.split(` ${kind} `)[1] ?? [])))].sort();
      expect(choicesOf(texts, 'select'), key).toEqual(choicesOf(known, 'select'));
      const [plurals, englishPlurals] = [choicesOf(texts, 'plural'), choicesOf(known, 'plural')];
      // Turkish and Chinese nouns stay the same after a number, so their messages may have no plurals.
      const mayLack = language !== 'pl' || englishPlurals.length === 0;
      expect(plurals.length === 0 && mayLack ? [] : forms, key).toEqual(plurals);
      expect(plurals.length > 0 && englishPlurals.length === 0, `${key} has plurals that English lacks`).toBe(false);
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
