import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { v4 as randomId } from 'uuid';
import {
  basketOf,
  keepDraft,
  newDraft,
  openDraft,
  type TillChoice,
  type TillDraft,
  type TillLine,
} from '#kitchen/web/till/till-draft.ts';
import { useMenuIndex } from '#kitchen/web/till/use-menu-index.ts';
import { usePlacing } from '#kitchen/web/till/use-placing.ts';
import type { IndexedItem } from '#menu/menu-index.ts';
import { checkGroup, defaultOptions, readSelections, shownGroups } from '#menu/option-rules.ts';
import type { Quote } from '#ordering/basket.ts';
import type { Order } from '#ordering/order.ts';
import { withLine } from '#ordering/same-line.ts';
import { api } from '#platform/web/api.ts';
import { shopNow } from '#platform/web/clock.ts';
import type { Store } from '#store/contract.ts';

/** The dish whose options are being chosen; `key` is that of the line being changed, null for a new one. */
interface Choosing {
  dish: IndexedItem;
  line: Omit<TillLine, 'key'>;
  key: string | null;
}

/** The order being typed: its lines and fields, its price, and the dish that is being chosen. */
export function useTill(store: Store, onPlaced: (order: Order) => void) {
  const [draft, setDraft] = useState(() => openDraft(store));
  const [choosing, setChoosing] = useState<Choosing | null>(null);
  const search = useRef<HTMLInputElement>(null);
  const menu = useMenuIndex(store.id);
  const quote = useTillQuote(store.id, draft);
  const change = (part: Partial<TillDraft>): void => {
    const next = { ...draft, ...part };
    keepDraft(store.id, next);
    setDraft(next);
  };
  const placing = usePlacing({ store, draft, quote }, (order) => {
    change(newDraft(store));
    onPlaced(order);
  });
  const isReady = menu.data !== undefined;
  // The dialog focuses its first field when it opens, and the menu loads later.
  useEffect(() => {
    if (isReady) search.current?.focus();
  }, [isReady]);
  const again = (): void => {
    setChoosing(null);
    // Only once the search is rendered again.
    setTimeout(() => search.current?.focus());
  };
  const add = (dish: IndexedItem, quantity: number): void => {
    const line = { item_id: dish.item.id, quantity, note: '', options: defaultOptions(dish, new Date(shopNow())) };
    if (isComplete(dish, line.options)) change({ lines: withLine<TillChoice>(draft.lines, line, randomId) });
    else setChoosing({ dish, line, key: null });
  };
  const finish = (line: Omit<TillLine, 'key'>): void => {
    const key = choosing?.key ?? null;
    const lines =
      key === null
        ? withLine<TillChoice>(draft.lines, line, randomId)
        : draft.lines.map((old) => (old.key === key ? { ...line, key } : old));
    change({ lines });
    again();
  };
  const open = (line: TillLine): void => {
    const dish = menu.data?.items.get(line.item_id);
    if (dish) setChoosing({ dish, line, key: line.key });
  };
  return {
    draft,
    change,
    clear: () => change(newDraft(store)),
    choosing,
    open,
    add,
    finish,
    again,
    menu,
    quote,
    placing,
    search,
  };
}

/** The server's price for the current draft, and the problems of the draft. */
function useTillQuote(storeId: string, draft: TillDraft) {
  const [basket] = useDebouncedValue(basketOf(storeId, draft), 250);
  const { data } = useQuery<Quote>({
    queryKey: ['till quote', JSON.stringify(basket)],
    enabled: basket !== null,
    placeholderData: (known) => (basket === null ? undefined : known),
    queryFn: async ({ signal }) => {
      if (!basket) throw new Error('nothing to price');
      return (await api('POST /v1/orders/quote', basket, { signal, timeout: 15_000 })).data;
    },
  });
  // A problem of an earlier basket is no warning for an empty one.
  return draft.lines.length > 0 ? data : undefined;
}

function isComplete(dish: IndexedItem, options: TillLine['options']): boolean {
  const { selected } = readSelections(dish, options);
  const shown = shownGroups(dish, selected);
  return [...dish.groups.values()].every(({ group }) => !shown.has(group.id) || checkGroup(group, selected) === null);
}
