import { type AllergenCode, allergenCodes } from '#database/page-values.ts';
import type { AllergenAnswers, Allergens } from '#menu/menu-shapes.ts';

/** A person's answer for one of the fourteen; null: none yet. */
export type AllergenAnswer = keyof NonNullable<AllergenAnswers> | null;

/** A part's allergens: all fourteen in `allergens`, or the answers so far, or neither. */
export interface KnownAllergens {
  allergens: Allergens;
  allergen_answers: AllergenAnswers;
}

export const noneOfThem: NonNullable<AllergenAnswers> = { contains: [], may_contain: [], not_in: [...allergenCodes] };

/** The answers as a person gave them; with stated allergens all fourteen. */
export function answersOf({ allergens, allergen_answers: answers }: KnownAllergens): NonNullable<AllergenAnswers> {
  if (!allergens) return answers ?? { contains: [], may_contain: [], not_in: [] };
  return inOrder({ ...allergens, not_in: [...allergenCodes] });
}

export function answerFor(answers: NonNullable<AllergenAnswers>, code: AllergenCode): AllergenAnswer {
  return (['contains', 'may_contain', 'not_in'] as const).find((answer) => answers[answer].includes(code)) ?? null;
}

/** The answers with those for `codes` replaced. */
export function answered(
  answers: NonNullable<AllergenAnswers>,
  codes: readonly AllergenCode[],
  answer: AllergenAnswer,
): NonNullable<AllergenAnswers> {
  const next = (own: AllergenAnswer, before: readonly AllergenCode[]) => [
    ...before.filter((code) => !codes.includes(code)),
    ...(own === answer ? codes : []),
  ];
  return inOrder({
    contains: next('contains', answers.contains),
    may_contain: next('may_contain', answers.may_contain),
    not_in: next('not_in', answers.not_in),
  });
}

/**
 * The fields once a person has given one answer. While a part awaits confirmation it goes on waiting: nobody has given
 * the other answers.
 */
export function withAnswer(part: KnownAllergens, code: AllergenCode, answer: AllergenAnswer): Partial<KnownAllergens> {
  return allergenFields({ allergen_answers: answered(answersOf(part), [code], answer) }, part);
}

export function countAnswers({ contains, may_contain: may, not_in: not }: NonNullable<AllergenAnswers>): number {
  return contains.length + may.length + not.length;
}

/** All fourteen are answered, and the shop has not said yet that it is so: customers read "ask the shop". */
export function awaitsConfirmation(part: KnownAllergens): boolean {
  return !part.allergens && countAnswers(answersOf(part)) === allergenCodes.length;
}

/** Each code once, in the law's order, under its most serious answer. */
export function inOrder({ contains, may_contain: may, not_in: not }: NonNullable<AllergenAnswers>) {
  return {
    contains: allergenCodes.filter((code) => contains.includes(code)),
    may_contain: allergenCodes.filter((code) => may.includes(code) && !contains.includes(code)),
    not_in: allergenCodes.filter((code) => not.includes(code) && !may.includes(code) && !contains.includes(code)),
  };
}

/** All fields that a change of a part may have. */
interface Stated {
  [field: string]: unknown;
  allergens?: Allergens | undefined;
  allergen_answers?: AllergenAnswers | undefined;
}

/**
 * The fields about allergens, which belong together; empty if none of them is given. The answers become the part's
 * allergens once all fourteen are there. Both given, with `allergens` null: the answers still have to be confirmed, and so have
 * those that replace such ones; `before` is the part as it stands.
 */
export function allergenFields(
  { allergens: given, allergen_answers: answers }: Stated,
  before?: KnownAllergens,
): Partial<KnownAllergens> {
  if (given === undefined && answers === undefined) return {};
  const allergens = given === undefined && before && awaitsConfirmation(before) ? null : given;
  if (allergens) return { allergens, allergen_answers: null };
  if (!answers || countAnswers(answers) === 0) return { allergens: null, allergen_answers: null };
  const { contains, may_contain } = answers;
  if (allergens === undefined && countAnswers(answers) === allergenCodes.length)
    return { allergens: { contains, may_contain }, allergen_answers: null };
  return { allergens: null, allergen_answers: answers };
}
