import { m } from '#messages';
import type { Dietary, Pricing } from '#menu/menu-shapes.ts';
import { fold } from '#menu/import/names-in-cell.ts';
import { withoutMarkup } from '#platform/markup.ts';
import { plainText } from '#platform/plain-text.ts';
import { formatMoney, minorDigits } from '#platform/money.ts';
import { readMoney } from '#platform/parse-money.ts';

/** The value of a cell: `undefined` leaves things as they are, so that an empty cell never removes anything. */
export type Read<T> = { value: T | undefined } | { error: string };

/** The sign that empties a field; an empty cell does not. */
export const emptySign = '-';
/** The sign in as many quotes before it as after it; without the outer ones it is the text. */
const escapedSign = /^"("*-"*)"$/;
const listSign = /[;,\n]/;
const dearest = 1_000_000;

export function readText(cell: string | undefined, most: number): Read<string> {
  if (!cell) return { value: undefined };
  if (cell === emptySign) return { value: '' };
  const text = textOf(cell);
  if (text.length > most) return { error: m.menu_text_long({ max: most }) };
  return { value: text === '' ? undefined : text };
}

/** A name, as the server takes it: on one line, without characters that nobody sees. */
export function readName(cell: string | undefined, most: number): Read<string> {
  return readText(cell && plainText(cell).trim(), most);
}

/** Without tags, as the server takes it. */
export function textOf(cell: string): string {
  return withoutMarkup(escapedSign.exec(cell)?.[1] ?? cell).trim();
}

/** The cell for a text: one that would be read as the empty sign is in double quotes. */
export function textCell(text: string): string {
  return text === emptySign || escapedSign.test(text) ? `"${text}"` : text;
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

/** Spreadsheets store 6.45 as 6.4500000000000002, and databases write 6.4500 and 2.0. */
function plainNumber(text: string): string {
  if (/^\d+\.\d{7,}$/.test(text)) return String(Number(Number(text).toFixed(6)));
  return text.replace(/^(\D*\d+)\.(\d*?)0+(\D*)$/, (_, whole: string, rest: string, unit: string) =>
    rest === '' ? whole + unit : `${whole}.${rest}${unit}`,
  );
}
