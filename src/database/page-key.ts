import type { RawBuilder } from 'kysely';
import { m } from '#messages';
import { invalid } from '#platform/errors.ts';

/** A column by which a list is ordered. */
export interface KeyColumn {
  of: RawBuilder<unknown>;
  type: 'date' | 'int' | 'text' | 'timestamptz' | 'uuid';
}

/** The columns that order a list, all in one direction. The last one is different in every row. */
export interface ListOrder {
  columns: readonly KeyColumn[];
  direction: 'asc' | 'desc';
}

/** How the values of a key look as PostgreSQL writes them. */
const shapes: Record<KeyColumn['type'], RegExp> = {
  date: /^\d{4}-\d\d-\d\d$/,
  int: /^-?\d{1,9}$/,
  text: /^[^\0]{0,300}$/,
  timestamptz: /^(-infinity|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?[+-]\d\d(:\d\d)?)$/,
  uuid: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/,
};

/** The key of a row, as it stands in an address. */
export function keyText(key: readonly string[]): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url');
}

/** Throws 422 `invalid` for a key that no answer of this list contained. */
export function readKey({ columns }: ListOrder, text: string): string[] {
  const key = parsed(text);
  const isKey =
    Array.isArray(key) &&
    key.length === columns.length &&
    columns.every(({ type }, index) => typeof key[index] === 'string' && shapes[type].test(key[index]));
  if (!isKey) throw invalid('after', m.platform_page_key());
  return key as string[];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return null;
  }
}
