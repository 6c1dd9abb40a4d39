import { useState } from 'react';
import { m } from '#messages';
import { bulkPrices, type Rounding } from '#menu/web/editor/bulk-price.ts';
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
  const { changes, operations, others } = bulkPrices(index, chosen, rule, withOptions);

  return {
    choice,
    choose: (part: Partial<BulkPriceChoice>) => setChoice({ ...choice, ...part }),
    changes,
    others,
    write: (): void => edit(m.menu_edit_bulk_priced({ count: changes.length }), operations),
  };
}
