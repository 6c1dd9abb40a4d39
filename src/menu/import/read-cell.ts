import { m } from '#messages';
import type { Dietary, Pricing } from '#menu/menu-shapes.ts';
import { htmlToText } from '#platform/markup.ts';
import { toPlainLine } from '#platform/plain-text.ts';
import { formatMoney, minorDigits } from '#platform/money.ts';
import { parseMoneyField } from '#platform/parse-money.ts';
import {
  consistentAllergenFields,
  withAllergenAnswers,
  allergenAnswersOf,
  sortAllergenAnswers,
  type AllergenAnswerFields,
  allAllergensAbsent,
} from '#menu/allergen-answers.ts';
import { type AllergenCode, allergenCodes } from '#database/page-values.ts';
import { allergenName } from '#menu/allergen-words.ts';

/** A cell's value or an error message. `undefined` leaves the field as it is, so that an empty cell never deletes. */
export type CellReading<T> = { value: T | undefined } | { error: string };

/** The text that clears a field. An empty cell cannot do so, because it leaves the field unchanged. */
export const fieldClearingText = '-';
/** Matches `"-"`, which means the text `-`, whereas an unquoted `-` clears the field. */
const escapedSign = /^"("*-"*)"$/;
const listSign = /[;,\n]/;
const maxPrice = 1_000_000;

export function readTextCell(cell: string | undefined, most: number): CellReading<string> {
  if (!cell) return { value: undefined };
  if (cell === fieldClearingText) return { value: '' };
  const text = cellToText(cell);
  if (text.length > most) return { error: m.menu_text_long({ max: most }) };
  return { value: text === '' ? undefined : text };
}

export function readNameCell(cell: string | undefined, most: number): CellReading<string> {
  return readTextCell(cell && toPlainLine(cell).trim(), most);
}

/** Returns a cell's text: without HTML, as the server would store it, and without the quotes around a `-`. */
export function cellToText(cell: string): string {
  return htmlToText(escapedSign.exec(cell)?.[1] ?? cell).trim();
}

/** Returns the cell for a text. The text `-` is quoted, because an unquoted `-` would clear the field. */
export function textToCell(text: string): string {
  return text === fieldClearingText || escapedSign.test(text) ? `"${text}"` : text;
}

/** Reads a price in minor units; an empty cell is undefined. */
export function readPriceCell(cell: string | undefined, currency: string): CellReading<number> {
  const read = parseMoneyField(plainNumber(cell ?? ''), { currency, empty: undefined });
  if (!read) return { error: m.office_money_unreadable({ example: formatMoney(150, currency) }) };
  const { amount } = read;
  return amount !== undefined && amount > maxPrice
    ? { error: m.menu_number_range({ min: 0, max: maxPrice / 10 ** minorDigits(currency) }) }
    : { value: amount };
}

export function formatMoneyCell(cell: string | undefined, currency: string): string {
  const read = readPriceCell(cell, currency);
  return 'value' in read && read.value !== undefined ? formatMoney(read.value, currency) : (cell ?? '');
}

/** Reads a VAT rate in basis points: `20`, `20%`, `12.5`, or `0.2` as spreadsheets store 20 %. */
export function readVatCell(cell: string | undefined): CellReading<number> {
  if (!cell) return { value: undefined };
  const text = plainNumber(cell).replace('%', '').replace(',', '.').trim();
  const typed = /^\d{1,3}(\.\d{1,4})?$/.test(text) ? Number(text) : Number.NaN;
  const percent = typed > 0 && typed < 1 && !cell.includes('%') ? typed * 100 : typed;
  const points = Math.round(percent * 100);
  return points >= 0 && points <= 10_000 ? { value: points } : { error: m.menu_import_vat() };
}

export function readWholeNumberCell(cell: string | undefined, min: number, max: number): CellReading<number> {
  if (!cell) return { value: undefined };
  const text = plainNumber(cell);
  const number = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  return number >= min && number <= max ? { value: number } : { error: m.menu_number_range({ min, max }) };
}

/** Reads a whole number; null for `-`, which clears the field. */
export function readOptionalWholeNumberCell(
  cell: string | undefined,
  min: number,
  max: number,
): CellReading<number | null> {
  return cell === fieldClearingText ? { value: null } : readWholeNumberCell(cell, min, max);
}

const yesWords = new Set(['yes', 'y', 'true', '1', 'x', 'tak', '✓']);
const noWords = new Set(['no', 'n', 'false', '0', 'nie', fieldClearingText]);

export function readYesNoCell(cell: string | undefined): CellReading<boolean> {
  if (!cell) return { value: undefined };
  const text = cell.toLowerCase();
  if (yesWords.has(text)) return { value: true };
  return noWords.has(text) ? { value: false } : { error: m.menu_import_yes_no() };
}

/** Says in words that a new dish will be hidden or sold out after the import; empty for a dish on sale. */
export function saleStateWords({ visible, soldOut }: { visible?: string; soldOut?: string }): string {
  const [shown, ended] = [readYesNoCell(visible), readYesNoCell(soldOut)];
  if ('value' in shown && shown.value === false) return m.menu_import_is_hidden();
  return 'value' in ended && ended.value === true ? m.menu_import_is_sold_out() : '';
}

const wholePriceWords = new Set(['whole price', 'whole', 'is price']);
const addedPriceWords = new Set(['added', 'adds', 'extra']);

export function readPricingCell(cell: string | undefined): CellReading<Pricing> {
  if (!cell) return { value: undefined };
  const text = foldName(cell);
  if (wholePriceWords.has(text)) return { value: 'is_price' };
  return addedPriceWords.has(text) ? { value: 'adds' } : { error: m.menu_import_pricing() };
}

const diets = ['vegetarian', 'vegan', 'halal', 'gluten_free'] as const satisfies readonly Dietary[];

export function readDietaryCell(cell: string | undefined): CellReading<Dietary[]> {
  if (!cell) return { value: undefined };
  const names = cell.split(listSign).flatMap((name) => name.trim() || []);
  if (names.length === 1 && (names[0] === fieldClearingText || foldName(names[0] ?? '') === 'none'))
    return { value: [] };
  const found: Dietary[] = [];
  for (const name of names) {
    const diet = diets.find((one) => foldName(one) === foldName(name));
    if (!diet) return { error: m.menu_import_diet({ name, known: diets.join(', ') }) };
    if (!found.includes(diet)) found.push(diet);
  }
  return { value: diets.filter((diet) => found.includes(diet)) };
}

/** Removes excess digits, because spreadsheets store 6.45 as 6.4500000000000002 and databases write 6.4500. */
function plainNumber(text: string): string {
  if (/^\d+\.\d{7,}$/.test(text)) return String(Number(Number(text).toFixed(6)));
  return text.replace(/^(\D*\d+)\.(\d*?)0+(\D*)$/, (_, whole: string, rest: string, unit: string) =>
    rest === '' ? whole + unit : `${whole}.${rest}${unit}`,
  );
}

export const namePathSeparator = ' > ';

const quoted = '"(?:[^"]|"")*"';
/** Matches a name in double quotes, or `menu > category` with at least one of the two in double quotes. */
const quotedToken = new RegExp(
  `^(?:${quoted}(?:\\s*>\\s*(?:${quoted}|[^";\\n][^;\\n]*))?|[^";\\n>][^";\\n>]*>\\s*${quoted})\\s*(?=[;\\n]|$)`,
);
const quotedPath = new RegExp(`^(${quoted}|[^">]+?)\\s*>\\s*(${quoted}|[^"][^]*)$`);
const needsQuotes = /[;>\r\n]|^"|^-$/;

/** Quotes a name for a list, as in a CSV, if the unquoted name would be misread. */
export function quoteName(name: string): string {
  return needsQuotes.test(name) ? `"${name.replaceAll('"', '""')}"` : name;
}

export function unquoteName(text: string): string {
  return new RegExp(`^${quoted}$`).test(text) ? text.slice(1, -1).replaceAll('""', '"') : text;
}

/** Splits a cell's names at `;` or line breaks. A comma may belong to a name. */
export function readNamesCell(cell: string | undefined): string[] {
  const names: string[] = [];
  for (let rest = (cell ?? '').trim(); rest !== '';) {
    const [token = ''] = quotedToken.exec(rest) ?? /^[^;\n]*/.exec(rest) ?? [];
    if (token.trim() !== '') names.push(token.trim());
    rest = rest.slice(token.length + 1).trimStart();
  }
  return names;
}

/** Reads a quoted menu and category, or one quoted name; null without quotes. */
export function readQuotedCategoryPath(text: string): [menu: string, name: string] | [name: string] | null {
  if (new RegExp(`^${quoted}$`).test(text)) return [unquoteName(text)];
  const [, menu, name] = text.includes('"') ? (quotedPath.exec(text) ?? []) : [];
  if (menu === undefined || name === undefined || !(menu.startsWith('"') || name.startsWith('"'))) return null;
  return [unquoteName(menu), unquoteName(name)];
}

/** Folds a name for comparison: without case, accents and repeated spaces. */
export function foldName(text: string): string {
  return toPlainLine(text)
    .normalize('NFD')
    .replaceAll(/\p{Diacritic}/gu, '')
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')
    .trim();
}

/** Folds a name as `foldName` does, but keeps accents and tone marks, which distinguish words in many languages. */
export function foldNameCase(text: string): string {
  return toPlainLine(text)
    .normalize()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')
    .trim();
}

/** Among parts with the same folded name, returns the parts with exactly this name's accents, or else all. */
export function preferExactAccents<T extends { name: string }>(alike: readonly T[], name: string): readonly T[] {
  const exact = alike.filter((one) => foldNameCase(one.name) === foldNameCase(name));
  return exact.length > 0 ? exact : alike;
}

/**
 * Further names of allergens: names in Annex II of Regulation (EU) No 1169/2011, such as single cereals and nuts, and
 * common variants.
 */
const allergenAliases: Record<AllergenCode, string> = {
  celery: '',
  gluten: 'cereals containing gluten, cereals, cereal, wheat, spelt, khorasan wheat, rye, barley, oats, oat',
  crustaceans: 'crustacean, crustacea',
  eggs: 'egg',
  fish: '',
  lupin: 'lupins, lupine',
  milk: 'dairy, lactose',
  molluscs: 'mollusc, mollusks, mollusk',
  mustard: '',
  nuts:
    'nut, tree nuts, tree nut, almonds, almond, hazelnuts, hazelnut, walnuts, walnut, cashews, cashew, cashew nuts, ' +
    'pecans, pecan nuts, brazil nuts, pistachios, pistachio nuts, macadamia, macadamia nuts, queensland nuts',
  peanuts: 'peanut, groundnuts',
  sesame: 'sesame seeds, sesame seed',
  soya: 'soybeans, soybean, soy beans, soya beans, soy',
  sulphites:
    'sulphur dioxide and sulphites, sulphur dioxide, sulphites and sulphur dioxide, sulphite, sulfites, sulfite, ' +
    'sulfur dioxide, sulfur dioxide and sulfites, sulphur dioxide/sulphites, so2',
};

const codeOfName = new Map(
  allergenCodes.flatMap((code) =>
    [code, ...allergenAliases[code].split(', ')].map((name) => [foldName(name), code] as const),
  ),
);

/** Separates allergens, but not at a comma in brackets: `nuts (almonds, walnuts)`. */
const allergenSeparator = /[;,\n](?![^()]*\))/;
/** Matches the end of the law's phrases, as in `eggs and products thereof`. */
const lawPhrases = / (?:(?:and|&) products thereof|at concentrations of).*$/;

type ReadAllergens = CellReading<Partial<AllergenAnswerFields>> & {
  at?: 'contains' | 'mayContain' | 'allergensStated';
};

/**
 * Reads the cells about allergens as one statement: `none` means no allergen, `-` means not stated. If the row states
 * all 14, the unnamed allergens are absent. Otherwise the named allergens are added to the answers in `known`.
 */
export function readAllergensCell(
  cell: (key: string) => string | undefined,
  known: AllergenAnswerFields | undefined,
  statesAll: boolean,
): ReadAllergens {
  const [contains, may] = [cell('contains'), cell('mayContain')];
  const stated = readYesNoCell(cell('allergensStated'));
  if ('error' in stated) return { ...stated, at: 'allergensStated' };
  if (!contains && !may) return { value: {} };
  if ((contains ?? fieldClearingText) === fieldClearingText && (may ?? fieldClearingText) === fieldClearingText)
    return { value: { allergens: null, allergen_answers: null } };
  const read = { contains: readAllergenList(contains), mayContain: readAllergenList(may) };
  for (const at of ['contains', 'mayContain'] as const) {
    const { unknown } = read[at];
    if (unknown !== undefined) return { error: m.menu_import_allergen({ name: unknown }), at };
  }
  const named = { contains: read.contains.codes, may_contain: read.mayContain.codes, not_in: [...allergenCodes] };
  if (stated.value ?? statesAll)
    return { value: consistentAllergenFields({ allergen_answers: sortAllergenAnswers(named) }) };
  return { value: addNamed(known ?? { allergens: null, allergen_answers: null }, named) };
}

function addNamed(
  known: AllergenAnswerFields,
  { contains, may_contain: mayContain }: Record<'contains' | 'may_contain', AllergenCode[]>,
): Partial<AllergenAnswerFields> {
  const before = allergenAnswersOf(known);
  if (contains.length + mayContain.length === 0) {
    const isKnown = before.contains.length + before.may_contain.length > 0 || known.allergens;
    // `none` in a file is no confirmation by a person, so the answers stay unconfirmed.
    return isKnown ? {} : consistentAllergenFields({ allergens: null, allergen_answers: allAllergensAbsent });
  }
  const answers = withAllergenAnswers(withAllergenAnswers(before, mayContain, 'may_contain'), contains, 'contains');
  return consistentAllergenFields({ ...(!known.allergens && { allergens: null }), allergen_answers: answers });
}

function readAllergenList(cell: string | undefined): { codes: AllergenCode[]; unknown?: string } {
  const names = (cell ?? '').split(allergenSeparator).flatMap((name) => name.trim() || []);
  if (names.length === 1 && (foldName(names[0] ?? '') === 'none' || names[0] === fieldClearingText))
    return { codes: [] };
  const found = new Set<AllergenCode>();
  for (const name of names) {
    const code = readAllergen(name);
    if (!code) return { codes: [], unknown: name };
    found.add(code);
  }
  return { codes: allergenCodes.filter((code) => found.has(code)) };
}

function readAllergen(name: string): AllergenCode | undefined {
  const folded = foldName(name.replaceAll(/\([^()]*\)/g, ' ')).replace(lawPhrases, '');
  return codeOfName.get(folded) ?? allergenCodes.find((one) => foldName(allergenName(one)) === folded);
}
