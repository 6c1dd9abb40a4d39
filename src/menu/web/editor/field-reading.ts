import { m } from '#messages';
import { withoutMarkup } from '#platform/markup.ts';
import { formatMoney } from '#platform/money.ts';
import { readMoney } from '#platform/parse-money.ts';

/** A typed value, or what is wrong with it: shown beside the field and, after leaving it, as a notice. */
export type Reading<T> = { value: T } | { problem: string; left: string };

/** A text without surrounding spaces and tags, as the server takes it; a required one is never empty. `kept` is the old value, which a refusal keeps. */
export function readText(text: string, kept: string, isRequired: boolean): Reading<string> {
  const value = withoutMarkup(text).trim();
  if (value !== '' || !isRequired) return { value };
  return { problem: m.menu_text_needed(), left: m.menu_edit_name_kept({ kept }) };
}

interface PriceRules<T> {
  currency: string;
  /** What an empty field means; undefined where a price is needed. */
  empty: T | undefined;
  kept: T;
}

/** An amount in minor units, or what an empty field means. */
export function readPrice<T extends number | null>(
  text: string,
  { currency, empty, kept }: PriceRules<T>,
): Reading<number | T> {
  const read = readMoney(text, { currency, empty });
  if (read && read.amount !== undefined) return { value: read.amount };
  const problem = m.office_money_unreadable({ example: formatMoney(150, currency) });
  if (kept === null) return { problem, left: m.menu_edit_price_left({ typed: text.trim() }) };
  const words = { typed: text.trim(), kept: formatMoney(kept, currency) };
  const left = words.typed === '' ? m.menu_edit_price_needed_kept(words) : m.menu_edit_price_kept(words);
  return { problem, left };
}

interface NumberRules<T> {
  min: number;
  max: number;
  empty: T | undefined;
  kept: T;
}

/** A whole number within its bounds, both included, or what an empty field means. */
export function readNumber<T extends number | null>(
  text: string,
  { min, max, empty, kept }: NumberRules<T>,
): Reading<number | T> {
  const typed = text.trim();
  if (typed === '' && empty !== undefined) return { value: empty };
  const value = /^\d{1,9}$/.test(typed) ? Number(typed) : Number.NaN;
  if (value >= min && value <= max) return { value };
  const problem = m.menu_number_range({ min, max });
  if (kept === null) return { problem, left: m.menu_edit_number_left({ typed, min, max }) };
  const words = { typed, min, max, kept };
  return { problem, left: typed === '' ? m.menu_edit_number_needed_kept(words) : m.menu_edit_number_kept(words) };
}
