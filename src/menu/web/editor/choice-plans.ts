import { v7 as newId } from 'uuid';
import { m } from '#messages';
import { findDealIds } from '#menu/deals.ts';
import type { MenuParts } from '#menu/fields.ts';
import {
  makeCreateOperation,
  type GroupPart,
  type ItemPart,
  makeLinkOperation,
  type MenuOperation,
  type OptionPart,
  type PartsIndex,
  makeReorderOperation,
} from '#menu/operations/menu-operation.ts';
import { noExtraAllergens, priceGroupRules } from '#menu/price-group.ts';
import { canFillRequiredChoices } from '#menu/sold-out.ts';
import { itemWithChoices } from '#menu/web/editor/pricing-edit.tsx';
import { unlimitedMaxSelect } from '#menu/option-rules.ts';
import { parseMoneyField } from '#platform/parse-money.ts';

export const choiceKinds = ['sizes', 'extras', 'deal'] as const;
export type ChoiceKind = (typeof choiceKinds)[number];

/**
 * A row of the quick entry. In a deal, `item_id` names the chosen dish; in other rows it is null. `price` holds the
 * text as the user typed it.
 */
export interface QuickEntryRow {
  name: string;
  price: string;
  item_id: string | null;
}
export const emptyQuickEntryRow: QuickEntryRow = { name: '', price: '', item_id: null };

export const isQuickEntryRowEmpty = ({ name, price, item_id }: QuickEntryRow): boolean =>
  name.trim() === '' && price.trim() === '' && item_id === null;

export interface QuickEntry {
  kind: ChoiceKind;
  name: string;
  rows: readonly QuickEntryRow[];
  /** The number of dishes that a customer chooses from a deal's group. */
  count: number;
}

/**
 * Returns the kind of a group; null for a group of no such kind, for example a required group that adds to the price.
 */
export function choiceKindOf({ options }: Pick<PartsIndex, 'options'>, group: GroupPart): ChoiceKind | null {
  if (group.options.some(({ id }) => options.get(id)?.item_id)) return 'deal';
  if (group.pricing === 'is_price') return 'sizes';
  return group.min_select === 0 ? 'extras' : null;
}

/** Why customers do not see a choice that is a dish; null if they do. */
export function hiddenChoiceReason(
  { items }: Pick<PartsIndex, 'items'>,
  { item_id: dishId }: Pick<OptionPart, 'item_id'>,
): 'deleted' | 'hidden' | null {
  if (dishId === null) return null;
  const dish = items.get(dishId);
  if (!dish) return 'deleted';
  return dish.is_active ? null : 'hidden';
}

/**
 * Returns a deal's choices that customers do not see, with their groups. `canBeOrdered` is false if too few other
 * choices remain.
 */
export function hiddenChoicesOf(index: PartsIndex, item: ItemPart) {
  const lost = item.option_groups.flatMap(({ id: groupId }) =>
    (index.groups.get(groupId)?.options ?? []).flatMap(({ id }) => {
      const option = index.options.get(id);
      const reason = option ? hiddenChoiceReason(index, option) : null;
      return option && reason ? [{ option, groupId, reason }] : [];
    }),
  );
  const isLost = (id: string) => lost.some(({ option }) => option.id === id);
  const { option_groups: groups = [] } = itemWithChoices(index, item);
  return { lost, canBeOrdered: lost.length === 0 || canFillRequiredChoices(groups, ({ id }) => !isLost(id)) };
}

/** Why a dish cannot get choices of a kind, in words; null if it can. */
export function choiceKindProblem(
  { parts, index }: { parts: MenuParts; index: PartsIndex },
  item: ItemPart,
  kind: ChoiceKind,
): string | null {
  const isSize = ({ id }: { id: string }) => index.groups.get(id)?.pricing === 'is_price';
  if (kind === 'sizes' && item.option_groups.some(isSize)) return m.menu_choices_sizes_there();
  const isChoice = kind === 'deal' && parts.options.some(({ item_id }) => item_id === item.id);
  return isChoice ? m.menu_choices_deal_inside() : null;
}

/**
 * The dishes that a deal can have as choices, in the order of `parts.items`: all dishes that are no deals, except the
 * deal itself.
 */
export function dishesForDeal(parts: MenuParts, dealId: string | null): ItemPart[] {
  const deals = findDealIds(parts);
  return parts.items.filter(({ id }) => id !== dealId && !deals.has(id));
}

export interface QuickEntryProblem {
  row: number;
  field: 'name' | 'price';
  words: string;
}

interface Place {
  storeId: string;
  item: Pick<ItemPart, 'id' | 'option_groups'>;
  currency: string;
  example: string;
}

/** Plans a group with its options on a dish, as one edit, or returns the row that is wrong. */
export function planChoices(
  { storeId, item, currency, example }: Place,
  { kind, name, rows, count }: QuickEntry,
  dishName: (id: string) => string,
): { id: string; operations: MenuOperation[] } | QuickEntryProblem {
  const filled = rows.flatMap((row, at) => (isQuickEntryRowEmpty(row) ? [] : [{ ...row, at }]));
  if (filled.length === 0) return { row: 0, field: 'name', words: m.menu_choices_row_needed() };
  const options: NewChoice[] = [];
  for (const { at, item_id, ...row } of filled) {
    const own = item_id === null ? row.name.trim() : dishName(item_id);
    if (own === '') return { row: at, field: 'name', words: m.menu_text_needed() };
    const read = parseMoneyField(row.price, { currency, empty: kind === 'sizes' ? null : 0 });
    if (typeof read?.amount !== 'number')
      return { row: at, field: 'price', words: m.office_money_unreadable({ example }) };
    options.push({ name: own, price: read.amount, item_id });
  }
  return newChoices(storeId, item, { kind, name, count }, options);
}

/**
 * Sizes for several dishes. A row's price is added to each dish's price; a price typed for one dish replaces the sum.
 */
export interface BulkSizes {
  name: string;
  rows: readonly QuickEntryRow[];
  /** The typed prices by the dish's id, each at the index of its row. */
  prices: Readonly<Record<string, readonly string[]>>;
}

/**
 * A size that cannot be saved, and the reason. `itemId` is the dish whose price is unreadable; null: the row itself is
 * wrong.
 */
export interface SizeProblem extends QuickEntryProblem {
  itemId: string | null;
}

export type SizedDish = Pick<ItemPart, 'id' | 'option_groups' | 'price'>;

/**
 * Returns the price of a dish's size: the price typed for the dish, or the dish's own price with the size's extra.
 * Null: a typed price is unreadable.
 */
export function bulkSizePrice({ rows, prices }: BulkSizes, item: SizedDish, at: number, currency: string) {
  const own = parseMoneyField(prices[item.id]?.[at] ?? '', { currency, empty: null });
  if (own === null || own.amount !== null) return own?.amount ?? null;
  const extra = parseMoneyField(rows[at]?.price ?? '', { currency, empty: 0 });
  return extra && item.price + extra.amount;
}

/** Plans a group of sizes on each dish, as one edit, or returns the size that is wrong. */
export function planBulkSizes(
  { storeId, currency, example }: Omit<Place, 'item'>,
  items: readonly SizedDish[],
  sizes: BulkSizes,
): MenuOperation[] | SizeProblem {
  const filled = sizes.rows.flatMap((row, at) => (isQuickEntryRowEmpty(row) ? [] : [{ ...row, at }]));
  if (filled.length === 0) return { row: 0, itemId: null, field: 'name', words: m.menu_choices_row_needed() };
  const words = m.office_money_unreadable({ example });
  for (const { name, price, at } of filled) {
    if (name.trim() === '') return { row: at, itemId: null, field: 'name', words: m.menu_text_needed() };
    if (!parseMoneyField(price, { currency, empty: 0 })) return { row: at, itemId: null, field: 'price', words };
  }
  const operations: MenuOperation[] = [];
  for (const item of items) {
    const options: NewChoice[] = [];
    for (const { name, at } of filled) {
      const price = bulkSizePrice(sizes, item, at, currency);
      if (price === null) return { row: at, itemId: item.id, field: 'price', words };
      options.push({ name: name.trim(), price, item_id: null });
    }
    operations.push(...newChoices(storeId, item, { kind: 'sizes', name: sizes.name, count: 1 }, options).operations);
  }
  return operations;
}

type NewChoice = Pick<OptionPart, 'name' | 'price' | 'item_id'>;

function newChoices(
  storeId: string,
  item: Place['item'],
  { kind, name, count }: Omit<QuickEntry, 'rows'>,
  choices: readonly NewChoice[],
): { id: string; operations: MenuOperation[] } {
  const group = newId();
  const options = choices.map((one) => ({ ...one, id: newId() }));
  const ids = options.map(({ id }) => id);
  return {
    id: group,
    operations: [
      makeCreateOperation('group', {
        id: group,
        store_id: storeId,
        name: name.trim(),
        ...rulesOf(kind, count),
      }),
      ...options.map(({ item_id, ...option }) =>
        makeCreateOperation('option', {
          ...option,
          store_id: storeId,
          ...(item_id !== null && { item_id }),
          ...(kind === 'sizes' && noExtraAllergens),
        }),
      ),
      makeLinkOperation('group', group, ids),
      makeLinkOperation('item', item.id, [group]),
      ...(kind === 'sizes'
        ? [makeReorderOperation('item', item.id, [group, ...item.option_groups.map(({ id }) => id)])]
        : []),
    ],
  };
}

function rulesOf(kind: ChoiceKind, count: number) {
  switch (kind) {
    case 'sizes':
      return { pricing: 'is_price' as const, ...priceGroupRules };
    case 'extras':
      return { min_select: 0, max_select: unlimitedMaxSelect };
    case 'deal':
      return { min_select: count, max_select: count, max_per_option: count };
  }
}
