import { expect, test } from 'vitest';
import {
  consistentAllergenFields,
  withAllergenAnswers,
  allergenAnswerFor,
  allergenAnswersOf,
  awaitsAllergenConfirmation,
  countAllergenAnswers,
  sortAllergenAnswers,
  allergenFieldsAfterAnswer,
} from '#menu/allergen-answers.ts';
import { allergenCodes } from '#database/page-values.ts';

const nothing = { contains: [], may_contain: [], not_in: [] };
const none = { ...nothing, not_in: [...allergenCodes] };

test('thirteen answers are not the allergens of a dish, and the fourteenth makes them so', () => {
  let answers = allergenAnswersOf({ allergens: null, allergen_answers: null });
  for (const [index, code] of allergenCodes.entries()) {
    const { allergens } = consistentAllergenFields({ allergen_answers: answers });
    expect([countAllergenAnswers(answers), allergens]).toEqual([index, null]);
    answers = withAllergenAnswers(
      answers,
      [code],
      code === 'milk' ? 'contains' : code === 'nuts' ? 'may_contain' : 'not_in',
    );
  }
  const stated = { contains: ['milk' as const], may_contain: ['nuts' as const] };
  expect(consistentAllergenFields({ allergen_answers: answers })).toEqual({
    allergens: stated,
    allergen_answers: null,
  });
});

test('an answer taken back leaves the others, and the dish is not stated', () => {
  const stated = allergenAnswersOf({ allergens: { contains: ['milk'], may_contain: [] }, allergen_answers: null });
  const left = withAllergenAnswers(stated, ['eggs'], null);
  expect([allergenAnswerFor(left, 'milk'), allergenAnswerFor(left, 'eggs'), allergenAnswerFor(left, 'fish')]).toEqual([
    'contains',
    null,
    'not_in',
  ]);
  expect(consistentAllergenFields({ allergen_answers: left })).toEqual({ allergens: null, allergen_answers: left });
});

test.each([
  ['nothing about allergens', { name: 'Tea' }, {}],
  [
    'all fourteen',
    { allergens: { contains: [], may_contain: [] } },
    { allergens: { contains: [], may_contain: [] }, allergen_answers: null },
  ],
  ['not stated', { allergens: null }, { allergens: null, allergen_answers: null }],
  ['no answer', { allergen_answers: nothing }, { allergens: null, allergen_answers: null }],
  [
    'fourteen answers',
    { allergen_answers: none },
    { allergens: { contains: [], may_contain: [] }, allergen_answers: null },
  ],
  [
    'fourteen answers that nobody confirmed',
    { allergens: null, allergen_answers: none },
    { allergens: null, allergen_answers: none },
  ],
])('a change that says %s', (_, change, fields) => {
  expect(consistentAllergenFields(change)).toEqual(fields);
});

test('only fourteen answers without a word from the shop wait for one', () => {
  expect(awaitsAllergenConfirmation({ allergens: null, allergen_answers: none })).toBe(true);
  expect(
    awaitsAllergenConfirmation({ allergens: null, allergen_answers: withAllergenAnswers(none, ['fish'], null) }),
  ).toBe(false);
  expect(awaitsAllergenConfirmation({ allergens: { contains: [], may_contain: [] }, allergen_answers: null })).toBe(
    false,
  );
});

test('a changed answer of fourteen that nobody confirmed confirms none of the others', () => {
  const waiting = { allergens: null, allergen_answers: none };
  const changed = allergenFieldsAfterAnswer(waiting, 'nuts', 'may_contain');
  const kept = { ...withAllergenAnswers(none, ['nuts'], 'may_contain') };
  expect(changed).toEqual({ allergens: null, allergen_answers: kept });
  expect(allergenFieldsAfterAnswer({ ...waiting, ...changed }, 'milk', 'contains')).toEqual({
    allergens: null,
    allergen_answers: withAllergenAnswers(kept, ['milk'], 'contains'),
  });
});

test('a changed answer of a stated dish is stated, and so is the last of fourteen that a person gave', () => {
  const stated = { allergens: { contains: ['milk' as const], may_contain: [] }, allergen_answers: null };
  expect(allergenFieldsAfterAnswer(stated, 'nuts', 'contains').allergens).toEqual({
    contains: ['milk', 'nuts'],
    may_contain: [],
  });
  const last = { allergens: null, allergen_answers: withAllergenAnswers(none, ['nuts'], null) };
  expect(allergenFieldsAfterAnswer(last, 'nuts', 'not_in').allergens).toEqual({ contains: [], may_contain: [] });
});

test('of two answers for one allergen the more serious counts', () => {
  expect(
    sortAllergenAnswers({ contains: ['milk'], may_contain: ['nuts', 'milk'], not_in: ['nuts', 'milk', 'celery'] }),
  ).toEqual({
    contains: ['milk'],
    may_contain: ['nuts'],
    not_in: ['celery'],
  });
});
