import { m } from '#messages';
import { isSoldOut } from '#menu/sold-out.ts';
import { compareNames } from '#platform/compare-names.ts';

/** A column of text that can be sorted; an empty text is shown as "none". */
export function textColumn<T>(key: string, label: string, textOf: (row: T) => string) {
  return {
    key,
    label,
    cell: (row: T) => textOf(row) || m.menu_edit_none(),
    compare: (a: T, b: T) => compareNames(textOf(a), textOf(b)),
  };
}

export function nameColumn() {
  return textColumn('name', m.menu_edit_name(), ({ name }: { name: string }) => name);
}

/** A column of whole numbers that can be sorted. */
export function countColumn<T>(key: string, label: string, countOf: (row: T) => number) {
  return { key, label, isNumeric: true, cell: countOf, compare: (a: T, b: T) => countOf(a) - countOf(b) };
}

export function priceColumn<T>(priceOf: (row: T) => { price: number; words: string }) {
  return {
    key: 'price',
    label: m.menu_edit_price(),
    isNumeric: true,
    cell: (row: T) => priceOf(row).words,
    compare: (a: T, b: T) => priceOf(a).price - priceOf(b).price,
  };
}

type Stocked = Parameters<typeof isSoldOut>[0];

export function stockColumn(now: Date) {
  return {
    key: 'stock',
    label: m.menu_edit_available(),
    cell: (row: Stocked) => (isSoldOut(row, now) ? m.menu_edit_sold_out() : m.menu_edit_stock_in()),
  };
}

/** Whether customers see a part. */
export function shownColumn() {
  return {
    key: 'shown',
    label: m.menu_list_state(),
    cell: ({ is_active: isActive }: { is_active: boolean }) => (isActive ? m.menu_edit_shown() : m.menu_edit_hidden()),
  };
}

export function shownFilter() {
  return {
    name: 'shown',
    label: m.menu_list_state(),
    choices: [
      { value: 'yes', label: m.menu_edit_shown() },
      { value: 'no', label: m.menu_edit_hidden() },
    ],
    keeps: (row: { is_active: boolean }, value: string) => row.is_active === (value === 'yes'),
  };
}

/** Whether a part is used anywhere. */
export function usedFilter(usesOf: (id: string) => number) {
  return {
    name: 'used',
    label: m.menu_list_used(),
    choices: [
      { value: 'yes', label: m.menu_list_used_yes() },
      { value: 'no', label: m.menu_list_used_no() },
    ],
    keeps: (row: { id: string }, value: string) => usesOf(row.id) > 0 === (value === 'yes'),
  };
}
