import { useState } from 'react';
import { m } from '#messages';
import { newPrice, type Rounding } from '#menu/web/editor/bulk-price.ts';
import { change, changeSeen, type MenuOperation } from '#menu/operations/menu-operation.ts';
import { useEditing } from '#menu/web/editor/editing-context.ts';

export interface BulkPriceChoice {
  /** Empty: all categories. */
  categoryId: string;
  by: 'percent' | 'amount';
  /** As typed: percent, or units of the currency. */
  amount: number | string;
  rounding: Rounding;
  withOptions: boolean;
}

/** The prices that a rule changes, of the selected dishes or else of a category's. */
export function useBulkPrices(selected: ReadonlySet<string>) {
  const { parts, index, edit } = useEditing();
  const [choice, setChoice] = useState<BulkPriceChoice>({
    categoryId: '',
    by: 'percent',
    amount: 5,
    rounding: 'none',
    withOptions: false,
  });
  const { categoryId, by, amount, rounding, withOptions } = choice;
  const chosen =
    selected.size > 0
      ? parts.items.filter((item) => selected.has(item.id))
      : categoryId === ''
        ? parts.items
        : (index.categories.get(categoryId)?.item_ids ?? []).flatMap((id) => index.items.get(id) ?? []);
  // Two decimals are enough for a percentage, and pence for an amount.
  const rule = { by, amount: Math.round(Number(amount) * 100) || 0, rounding };
  const items = chosen.map((part) => ({ part, kind: 'item' as const, price: newPrice(part.price, rule) }));
  const groupIds = new Set(chosen.flatMap((item) => item.option_groups.map(({ id }) => id)));
  const optionIds = new Set(
    [...groupIds].flatMap((id) => index.groups.get(id)?.options.map((option) => option.id) ?? []),
  );
  const options = withOptions
    ? parts.options
        .filter((option) => optionIds.has(option.id))
        .map((part) => ({ part, kind: 'option' as const, price: newPrice(part.price, rule) }))
    : [];
  const changed = [...items, ...options].filter(({ part, price }) => price !== part.price);
  const overrides = withOptions ? [...groupIds].flatMap((id) => pricesIn(id)) : [];

  function pricesIn(groupId: string): MenuOperation[] {
    const options = index.groups.get(groupId)?.options ?? [];
    const links = options.flatMap(({ price_override: price, ...one }) =>
      price === null ? [] : [{ ...one, price_override: price }],
    );
    const next = links.map((one) => ({ ...one, price_override: newPrice(one.price_override, rule) }));
    if (links.every((one, at) => one.price_override === next[at]?.price_override)) return [];
    return [change('group', groupId, { options: next }, { options: links })];
  }

  return {
    choice,
    choose: (part: Partial<BulkPriceChoice>) => setChoice({ ...choice, ...part }),
    changed,
    isNothing: changed.length === 0 && overrides.length === 0,
    write(): void {
      const prices = changed.map(({ part, kind, price }) => changeSeen<'item' | 'option'>(kind, part, { price }));
      edit(m.menu_edit_bulk_priced({ count: changed.length }), [...prices, ...overrides]);
    },
  };
}
