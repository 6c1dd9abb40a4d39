import { m } from '#messages';

export const byName = (a: { name: string }, b: { name: string }): number => a.name.localeCompare(b.name);
export const byPrice = (a: { price: number }, b: { price: number }): number => a.price - b.price;

/** Whether customers see a thing, in words and to choose from. */
export const shownWords = ({ is_active: isActive }: { is_active: boolean }): string =>
  isActive ? m.menu_edit_shown() : m.menu_edit_hidden();

export const shownFilter = () => ({
  name: 'shown',
  label: m.menu_list_state(),
  choices: [
    { value: 'yes', label: m.menu_edit_shown() },
    { value: 'no', label: m.menu_edit_hidden() },
  ],
  keeps: (row: { is_active: boolean }, value: string) => row.is_active === (value === 'yes'),
});

interface Stocked {
  is_available: boolean;
  unavailable_until: string | null;
}

export const isSoldOut = ({ is_available: isAvailable, unavailable_until: until }: Stocked, now: number): boolean =>
  !isAvailable && (until === null || Date.parse(until) > now);

export const stockWords = (row: Stocked, now: number): string =>
  isSoldOut(row, now) ? m.menu_edit_sold_out() : m.menu_edit_stock_in();

/** Whether a thing is used anywhere. */
export const usedFilter = (usesOf: (id: string) => number) => ({
  name: 'used',
  label: m.menu_list_used(),
  choices: [
    { value: 'yes', label: m.menu_list_used_yes() },
    { value: 'no', label: m.menu_list_used_no() },
  ],
  keeps: (row: { id: string }, value: string) => usesOf(row.id) > 0 === (value === 'yes'),
});
