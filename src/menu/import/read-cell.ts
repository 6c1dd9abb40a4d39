import { m } from '#messages';
import {
  allergenFields,
  answered,
  answersOf,
  inOrder,
  type KnownAllergens,
  noneOfThem,
} from '#menu/allergen-answers.ts';
import { type AllergenCode, allergenCodes } from '#menu/allergen-codes.ts';
import type { Dietary, Pricing } from '#menu/menu-shapes.ts';
import { allergenName } from '#menu/allergen-words.ts';
import { formatMoney, minorDigits } from '#platform/money.ts';
import { readMoney } from '#platform/parse-money.ts';

/** The value of a cell: `undefined` leaves things as they are, so that an empty cell never removes anything. */
export type Read<T> = { value: T | undefined } | { error: string };

/** The sign that empties a field; an empty cell does not. */
export const emptySign = '-';
const listSign = /[;,\n]/;
const dearest = 1_000_000;

export function readText(cell: string | undefined, most: number): Read<string> {
  if (!cell) return { value: undefined };
  if (cell === emptySign) return { value: '' };
  return cell.length > most ? { error: m.menu_text_long({ max: most }) } : { value: cell };
}

/** Minor units. */
export function readPrice(cell: string | undefined, currency: string): Read<number> {
  const read = readMoney(plainNumber(cell ?? ''), { currency, empty: undefined });
  if (!read) return { error: m.office_money_unreadable({ example: formatMoney(150, currency) }) };
  const { amount } = read;
  return amount !== undefined && amount > dearest
    ? { error: m.menu_number_range({ min: 0, max: dearest / 10 ** minorDigits(currency) }) }
    : { value: amount };
}

/** Basis points, from `20`, `20%`, `12.5`, or `0.2` as a spreadsheet stores 20 %. */
export function readVat(cell: string | undefined): Read<number> {
  if (!cell) return { value: undefined };
  const text = plainNumber(cell).replace('%', '').replace(',', '.').trim();
  const typed = /^\d{1,3}(\.\d{1,4})?$/.test(text) ? Number(text) : Number.NaN;
  const percent = typed > 0 && typed < 1 && !cell.includes('%') ? typed * 100 : typed;
  const points = Math.round(percent * 100);
  return points >= 0 && points <= 10_000 ? { value: points } : { error: m.menu_import_vat() };
}

export function readWhole(cell: string | undefined, min: number, max: number): Read<number> {
  if (!cell) return { value: undefined };
  const text = plainNumber(cell);
  const number = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  return number >= min && number <= max ? { value: number } : { error: m.menu_number_range({ min, max }) };
}

/** A number that `-` removes. */
export function readOptionalWhole(cell: string | undefined, min: number, max: number): Read<number | null> {
  return cell === emptySign ? { value: null } : readWhole(cell, min, max);
}

const yes = new Set(['yes', 'y', 'true', '1', 'x', 'tak', '✓']);
const no = new Set(['no', 'n', 'false', '0', 'nie', emptySign]);

export function readYesNo(cell: string | undefined): Read<boolean> {
  if (!cell) return { value: undefined };
  const text = cell.toLowerCase();
  if (yes.has(text)) return { value: true };
  return no.has(text) ? { value: false } : { error: m.menu_import_yes_no() };
}

const whole = new Set(['whole price', 'whole', 'is price']);
const added = new Set(['added', 'adds', 'extra']);

export function readPricing(cell: string | undefined): Read<Pricing> {
  if (!cell) return { value: undefined };
  const text = fold(cell);
  if (whole.has(text)) return { value: 'is_price' };
  return added.has(text) ? { value: 'adds' } : { error: m.menu_import_pricing() };
}

/** Names separated by `;` or by lines. A comma may be part of a name. */
export function readNames(cell: string | undefined): string[] {
  return (cell ?? '')
    .split(/[;\n]/)
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

type ReadAllergens = Read<Partial<KnownAllergens>> & { at?: 'contains' | 'mayContain' | 'allergensStated' };

/**
 * Reads the cells about allergens together: `none` means none of them, `-` that nothing is stated. Only a row that states
 * all 14 says that the others are not in it; else what it names is added to the answers of `known`.
 */
export function readAllergens(
  cell: (key: string) => string | undefined,
  known: KnownAllergens | undefined,
  statesAll: boolean,
): ReadAllergens {
  const [contains, may] = [cell('contains'), cell('mayContain')];
  const stated = readYesNo(cell('allergensStated'));
  if ('error' in stated) return { ...stated, at: 'allergensStated' };
  if (!contains && !may) return { value: {} };
  if ((contains ?? emptySign) === emptySign && (may ?? emptySign) === emptySign)
    return { value: { allergens: null, allergen_answers: null } };
  const read = { contains: readAllergenList(contains), mayContain: readAllergenList(may) };
  for (const at of ['contains', 'mayContain'] as const) {
    const { unknown } = read[at];
    if (unknown !== undefined) return { error: m.menu_import_allergen({ name: unknown }), at };
  }
  const named = { contains: read.contains.codes, may_contain: read.mayContain.codes, not_in: [...allergenCodes] };
  if (stated.value ?? statesAll) return { value: allergenFields({ allergen_answers: inOrder(named) }) };
  const before = answersOf(known ?? { allergens: null, allergen_answers: null });
  const isNone = named.contains.length + named.may_contain.length === 0;
  if (isNone && (before.contains.length + before.may_contain.length > 0 || known?.allergens)) return { value: {} };
  // Nobody has confirmed that it is none of them: the file alone does not say so.
  if (isNone) return { value: allergenFields({ allergens: null, allergen_answers: noneOfThem }) };
  const possible = answered(before, read.mayContain.codes, 'may_contain');
  const answers = answered(possible, read.contains.codes, 'contains');
  return { value: allergenFields({ ...(!known?.allergens && { allergens: null }), allergen_answers: answers }) };
}

function readAllergenList(cell: string | undefined): { codes: AllergenCode[]; unknown?: string } {
  const names = (cell ?? '').split(listSign).flatMap((name) => name.trim() || []);
  if (names.length === 1 && (fold(names[0] ?? '') === 'none' || names[0] === emptySign)) return { codes: [] };
  const found = new Set<AllergenCode>();
  for (const name of names) {
    const code = allergenCodes.find((one) => fold(one) === fold(name) || fold(allergenName(one)) === fold(name));
    if (!code) return { codes: [], unknown: name };
    found.add(code);
  }
  return { codes: allergenCodes.filter((code) => found.has(code)) };
}

const diets = ['vegetarian', 'vegan', 'halal', 'gluten_free'] as const satisfies readonly Dietary[];

export function readDietary(cell: string | undefined): Read<Dietary[]> {
  if (!cell) return { value: undefined };
  const names = cell.split(listSign).flatMap((name) => name.trim() || []);
  if (names.length === 1 && (names[0] === emptySign || fold(names[0] ?? '') === 'none')) return { value: [] };
  const found: Dietary[] = [];
  for (const name of names) {
    const diet = diets.find((one) => fold(one) === fold(name));
    if (!diet) return { error: m.menu_import_diet({ name, known: diets.join(', ') }) };
    if (!found.includes(diet)) found.push(diet);
  }
  return { value: diets.filter((diet) => found.includes(diet)) };
}

/** Names are compared without case, accents and doubled spaces, because people do not distinguish names by those. */
export function fold(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{Diacritic}/gu, '')
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')
    .trim();
}

/** Spreadsheets store 6.45 as 6.4500000000000002. */
function plainNumber(text: string): string {
  return /^\d+\.\d{7,}$/.test(text) ? String(Number(Number(text).toFixed(6))) : text;
}
