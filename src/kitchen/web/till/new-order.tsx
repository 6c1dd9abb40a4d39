import { useDebouncedValue, useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { DishChoices } from '#kitchen/web/till/dish-choices.tsx';
import { DishSearch } from '#kitchen/web/till/dish-search.tsx';
import { OrderForm } from '#kitchen/web/till/order-form.tsx';
import {
  basketOf,
  keepDraft,
  newDraft,
  openDraft,
  type TillDraft,
  type TillChoice,
  type TillLine,
} from '#kitchen/web/till/till-draft.ts';
import { TillLines } from '#kitchen/web/till/till-lines.tsx';
import classes from '#kitchen/web/till/till.module.css';
import { useMenuIndex } from '#kitchen/web/till/use-menu-index.ts';
import { usePlacing } from '#kitchen/web/till/use-placing.ts';
import { m } from '#messages';
import { v4 as randomId } from 'uuid';
import { Dialog } from '#ui/web/office/dialogs.tsx';
import { Trouble, Waiting } from '#ui/web/office/states.tsx';
import type { Quote } from '#ordering/basket.ts';
import type { IndexedItem } from '#menu/menu-index.ts';
import type { Order } from '#ordering/order.ts';
import { withLine } from '#ordering/same-line.ts';
import { checkGroup, defaultOptions, readSelections, shownGroups } from '#menu/option-rules.ts';
import { api } from '#platform/web/api.ts';
import type { Store } from '#store/contract.ts';

interface NewOrderProps {
  store: Store;
  onClose: () => void;
  onPlaced: (order: Order) => void;
}

/** The dialog for an order by phone or at the counter, as fast to type as a customer speaks. */
export default function NewOrder({ store, onClose, onPlaced }: NewOrderProps) {
  const [draft, setDraft] = useState(() => openDraft(store));
  const [choosing, setChoosing] = useState<{
    dish: IndexedItem;
    line: Omit<TillLine, 'key'>;
    key: string | null;
  } | null>(null);
  const search = useRef<HTMLInputElement>(null);
  const isNarrow = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false });
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
    const line = { item_id: dish.item.id, quantity, note: '', options: defaultOptions(dish, new Date()) };
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

  return (
    <Dialog
      opened
      onClose={onClose}
      closeOnEscape={choosing === null}
      closeOnClickOutside={false}
      size="68rem"
      fullScreen={isNarrow}
      title={m.kitchen_till_title()}
      classNames={{ title: classes.title ?? '' }}
    >
      {menu.data ? (
        <div className={classes.till}>
          <section className={classes.pick} aria-label={m.kitchen_till_dishes()}>
            {choosing ? (
              <DishChoices
                key={choosing.key ?? choosing.dish.item.id}
                store={store}
                dish={choosing.dish}
                line={choosing.line}
                isNew={choosing.key === null}
                onDone={finish}
                onBack={again}
              />
            ) : (
              <DishSearch ref={search} store={store} index={menu.data} onPick={add} />
            )}
            <TillLines
              store={store}
              index={menu.data}
              lines={draft.lines}
              quote={quote}
              onLines={(lines) => change({ lines })}
              onChange={(line) => {
                const dish = menu.data.items.get(line.item_id);
                if (dish) setChoosing({ dish, line, key: line.key });
              }}
            />
          </section>
          <OrderForm
            store={store}
            draft={draft}
            quote={quote}
            placing={placing}
            onChange={change}
            onClear={() => change(newDraft(store))}
          />
        </div>
      ) : menu.error ? (
        <Trouble error={menu.error} onRetry={() => void menu.refetch()} />
      ) : (
        // Until there is a field, typed keys must not press the button that closes the dialog.
        <div tabIndex={-1} data-autofocus>
          <Waiting />
        </div>
      )}
    </Dialog>
  );
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
