import { expect, test } from 'vitest';
import { languageOfPerson, preferredLanguage } from '#platform/language.ts';

test.each([
  [undefined, null],
  ['', null],
  ['pl', 'pl'],
  ['pl-PL,pl;q=0.9,en;q=0.8', 'pl'],
  ['en-GB,en;q=0.9,pl;q=0.8', 'en'],
  ['de-DE,de;q=0.9,pl;q=0.5,en;q=0.4', 'pl'],
  ['en;q=0.3, pl;q=0.7', 'pl'],
  ['pl;q=0, en;q=0.1', 'en'],
  ['fr, *', null],
  ['PL', 'pl'],
])('of %j, %j is the language to answer in', (header, language) => {
  expect(preferredLanguage(header)).toBe(language);
});

test.each([
  ['pl', 'pl'],
  ['en-GB', 'en'],
  ['de', 'en'],
  ['', 'en'],
])('whoever chose %j is written to in %j', (locale, language) => {
  expect(languageOfPerson({ locale })).toBe(language);
});
