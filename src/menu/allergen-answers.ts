import { type AllergenCode, allergenCodes } from '#database/page-values.ts';
import type { AllergenAnswers, Allergens } from '#menu/menu-shapes.ts';

/** A person's answer about one allergen; null if there is none yet. */
export type AllergenAnswer = keyof NonNullable<AllergenAnswers> | null;

/**
 * A part's two allergen fields: `allergens` has confirmed answers about all fourteen, `allergen_answers` has any other
 * answers. Without answers both are null.
 */
export interface AllergenAnswerFields {
  allergens: Allergens;
  allergen_answers: AllergenAnswers;
}

export const allAllergensAbsent: NonNullable<AllergenAnswers> = {
  contains: [],
  may_contain: [],
  not_in: [...allergenCodes],
};

/**
 * Returns the answers about a part so far. If `allergens` is stated, the allergens that it does not list are `not_in`.
 */
export function allergenAnswersOf({
  allergens,
  allergen_answers: answers,
}: AllergenAnswerFields): NonNullable<AllergenAnswers> {
  if (!allergens) return answers ?? { contains: [], may_contain: [], not_in: [] };
  return sortAllergenAnswers({ ...allergens, not_in: [...allergenCodes] });
}

export function allergenAnswerFor(answers: NonNullable<AllergenAnswers>, code: AllergenCode): AllergenAnswer {
  return (['contains', 'may_contain', 'not_in'] as const).find((answer) => answers[answer].includes(code)) ?? null;
}

/** Sets the answers about `codes` to `answer`; null removes these answers. */
export function withAllergenAnswers(
  answers: NonNullable<AllergenAnswers>,
  codes: readonly AllergenCode[],
  answer: AllergenAnswer,
): NonNullable<AllergenAnswers> {
  const next = (own: AllergenAnswer, before: readonly AllergenCode[]) => [
    ...before.filter((code) => !codes.includes(code)),
    ...(own === answer ? codes : []),
  ];
  return sortAllergenAnswers({
    contains: next('contains', answers.contains),
    may_contain: next('may_contain', answers.may_contain),
    not_in: next('not_in', answers.not_in),
  });
}

/**
 * Returns the allergen fields of a part after an answer about one allergen. A part that awaited confirmation still
 * awaits it, because nobody has confirmed its other answers.
 */
export function allergenFieldsAfterAnswer(
  part: AllergenAnswerFields,
  code: AllergenCode,
  answer: AllergenAnswer,
): Partial<AllergenAnswerFields> {
  return consistentAllergenFields(
    { allergen_answers: withAllergenAnswers(allergenAnswersOf(part), [code], answer) },
    part,
  );
}

export function countAllergenAnswers({
  contains,
  may_contain: may,
  not_in: not,
}: NonNullable<AllergenAnswers>): number {
  return contains.length + may.length + not.length;
}

/**
 * Whether all fourteen allergens are answered but not confirmed by the shop. Before the confirmation customers read
 * "ask the shop".
 */
export function awaitsAllergenConfirmation(part: AllergenAnswerFields): boolean {
  return !part.allergens && countAllergenAnswers(allergenAnswersOf(part)) === allergenCodes.length;
}

/** Sorts the answers in the law's order of allergens. An allergen with several answers keeps the most serious one. */
export function sortAllergenAnswers({ contains, may_contain: may, not_in: not }: NonNullable<AllergenAnswers>) {
  return {
    contains: allergenCodes.filter((code) => contains.includes(code)),
    may_contain: allergenCodes.filter((code) => may.includes(code) && !contains.includes(code)),
    not_in: allergenCodes.filter((code) => not.includes(code) && !may.includes(code) && !contains.includes(code)),
  };
}

interface AllergenFields {
  [field: string]: unknown;
  allergens?: Allergens | undefined;
  allergen_answers?: AllergenAnswers | undefined;
}

/**
 * Makes a request's two allergen fields consistent; returns `{}` if neither is given. Answers about all fourteen become
 * the part's `allergens`. They stay unconfirmed if the request also sends `allergens: null`, or if the part (`before`)
 * awaits confirmation.
 */
export function consistentAllergenFields(
  { allergens: given, allergen_answers: answers }: AllergenFields,
  before?: AllergenAnswerFields,
): Partial<AllergenAnswerFields> {
  if (given === undefined && answers === undefined) return {};
  const allergens = given === undefined && before && awaitsAllergenConfirmation(before) ? null : given;
  if (allergens) return { allergens, allergen_answers: null };
  if (!answers || countAllergenAnswers(answers) === 0) return { allergens: null, allergen_answers: null };
  const { contains, may_contain } = answers;
  if (allergens === undefined && countAllergenAnswers(answers) === allergenCodes.length)
    return { allergens: { contains, may_contain }, allergen_answers: null };
  return { allergens: null, allergen_answers: answers };
}
