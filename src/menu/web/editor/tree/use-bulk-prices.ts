import { useState } from 'react';
import { m } from '#messages';
import { bulkPrices, readRule, type Rounding } from '#menu/web/editor/tree/bulk-price.ts';
import { useEditing } from '#menu/web/editor/session/editing-context.ts';

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
  const { parts, index, edit, store } = useEditing();
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
  const rule = readRule(by, Number(amount), rounding, store.currency);
  const { changes, operations, others } = bulkPrices(index, chosen, rule, withOptions);

  return {
    choice,
    choose: (part: Partial<BulkPriceChoice>) => setChoice({ ...choice, ...part }),
    changes,
    others,
    write: (): void => edit(m.menu_edit_bulk_priced({ count: changes.length }), operations),
  };
}
