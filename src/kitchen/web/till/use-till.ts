import { useDebouncedValue } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { v4 as randomId } from 'uuid';
import {
  tillBasketOf,
  saveTillDraft,
  newTillDraft,
  loadTillDraft,
  tillOrderRequest,
  type TillLineInput,
  type TillDraft,
  type TillLine,
} from '#kitchen/web/till/till-draft.ts';
import { useMenuIndex } from '#kitchen/web/till/use-menu-index.ts';
import type { IndexedItem } from '#menu/menu-index.ts';
import { checkGroupChoices, defaultOptions, normaliseSelections, visibleGroupIds } from '#menu/option-rules.ts';
import type { BasketProblem, BasketQuote } from '#ordering/basket.ts';
import type { Order } from '#ordering/order.ts';
import { addOrMergeLine } from '#ordering/same-line.ts';
import { api, ApiError } from '#platform/web/api.ts';
import { shopNow } from '#platform/web/clock.ts';
import type { Store } from '#store/contract.ts';
import { m } from '#messages';
import { notify } from '#ui/web/notify.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import { isOverridable } from '#ordering/overridable-problems.ts';
import { sendOrder } from '#ordering/web/checkout/send-order.ts';
import { formFailureOf, type FormFailure, noFormFailure } from '#ui/web/form-errors.ts';

/** The dish whose options are being chosen. `key`: the key of the changed line; null for a new line. */
interface Choosing {
  dish: IndexedItem;
  line: Omit<TillLine, 'key'>;
  key: string | null;
}

/** The order that staff are typing: its lines, fields and quote, and the dish whose options are being chosen. */
export function useTill(store: Store, onPlaced: (order: Order) => void) {
  const [draft, setDraft] = useState(() => loadTillDraft(store));
  const [choosing, setChoosing] = useState<Choosing | null>(null);
  const search = useRef<HTMLInputElement>(null);
  const menu = useMenuIndex(store.id);
  const { quote, ...pricing } = useTillQuote(store, draft);
  const change = (part: Partial<TillDraft>): void => {
    const next = { ...draft, ...part };
    saveTillDraft(store.id, next);
    setDraft(next);
  };
  const placing = usePlacing({ store, draft, quote }, (order) => {
    change(newTillDraft(store));
    onPlaced(order);
  });
  const isReady = menu.data !== undefined;
  // The focus is set here, because the dialog focuses its first field before the menu is loaded.
  useEffect(() => {
    if (isReady) search.current?.focus();
  }, [isReady]);
  const again = (): void => {
    setChoosing(null);
    // The focus is set later, because the search field renders after this function.
    setTimeout(() => search.current?.focus());
  };
  const add = (dish: IndexedItem, quantity: number): void => {
    const line = { item_id: dish.item.id, quantity, note: '', options: defaultOptions(dish, new Date(shopNow())) };
    if (isComplete(dish, line.options)) change({ lines: addOrMergeLine<TillLineInput>(draft.lines, line, randomId) });
    else setChoosing({ dish, line, key: null });
  };
  const finish = (line: Omit<TillLine, 'key'>): void => {
    const key = choosing?.key ?? null;
    const lines =
      key === null
        ? addOrMergeLine<TillLineInput>(draft.lines, line, randomId)
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
    clear: () => change(newTillDraft(store)),
    choosing,
    open,
    add,
    finish,
    again,
    menu,
    quote,
    pricing,
    placing,
    search,
  };
}

/** The delay before a failed quote is requested again (ms). */
const priceRetry = 5000;

export interface TillPricing {
  /** Whether the shown quote belongs to an earlier draft. */
  isChecking: boolean;
  /** The error of the last quote request; null: it succeeded or is running. */
  failure: unknown;
}

function useTillQuote(store: Store, draft: TillDraft): TillPricing & { quote: BasketQuote | undefined } {
  const [basket] = useDebouncedValue(tillBasketOf(store, draft), 250);
  const { data, isPlaceholderData, failureReason } = useQuery<BasketQuote>({
    queryKey: ['till quote', JSON.stringify(basket)],
    enabled: basket !== null,
    placeholderData: (known) => (basket === null ? undefined : known),
    refetchInterval: ({ state }) => state.status === 'error' && priceRetry,
    queryFn: async ({ signal }) => {
      if (!basket) throw new Error('nothing to price');
      return (await api('POST /v1/orders/quote', basket, { signal, timeout: 15_000 })).data;
    },
  });
  // An empty draft ignores the problems of its earlier quote.
  const quote = draft.lines.length > 0 ? data : undefined;
  const isChecking = isPlaceholderData || (basket?.codes?.[0] ?? '') !== draft.code;
  return { quote, isChecking, failure: failureReason };
}

function isComplete(dish: IndexedItem, options: TillLine['options']): boolean {
  const { selected } = normaliseSelections(dish, options);
  const shown = visibleGroupIds(dish, selected);
  return [...dish.groups.values()].every(
    ({ group }) => !shown.has(group.id) || checkGroupChoices(group, selected) === null,
  );
}

/** The timeout of a call (ms). */
const timeout = 20_000;

export interface TillOrderPlacing {
  isBusy: boolean;
  /** Whether the order is being sent again, because the first attempt got no response. */
  isRetrying: boolean;
  failure: FormFailure;
  problems: readonly BasketProblem[];
  warnings: readonly BasketProblem[];
  place: (draft: TillDraft, quote: BasketQuote) => Promise<void>;
  /** Prints the typed order with the mark NOT AN ORDER. */
  printDraft: (draft: TillDraft, quote: BasketQuote) => Promise<void>;
}

/** Places the order. A retry after a lost response has the same session, so that the shop creates one order. */
function usePlacing(
  { store, draft: shown, quote: shownQuote }: { store: Store; draft: TillDraft; quote: BasketQuote | undefined },
  onPlaced: (order: Order) => void,
): TillOrderPlacing {
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [isRetrying, setRetrying] = useState(false);
  const [failed, setFailed] = useState<Failed | null>(null);
  // A refusal no longer applies once the draft was changed.
  const refused = failed?.draft === shown ? failed : null;
  const problems = refused?.problems ?? shownQuote?.problems ?? [];
  const warnings = problems.filter(isOverridable);
  const run = async (draft: TillDraft, work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setFailed(null);
    try {
      await work();
    } catch (error) {
      const isLost = error instanceof ApiError && error.isLost;
      setFailed({
        draft,
        failure: isLost ? { errors: {}, message: m.kitchen_till_no_answer() } : formFailureOf(error),
        problems: problemsOf(error),
      });
      // The quote is refetched, because changed prices or shop settings may be the cause of the refusal.
      if (!isLost) void client.invalidateQueries({ queryKey: ['till quote'] });
    }
    setBusy(false);
    setRetrying(false);
  };
  return {
    isBusy,
    isRetrying,
    failure: refused?.failure ?? noFormFailure,
    problems,
    warnings,
    place: (draft, quote) =>
      run(draft, async () => {
        const body = tillOrderRequest(store, draft, { total: quote.total, override: warnings.length > 0 });
        if (!body) return;
        const order = await sendOrder(body, timeout, () => setRetrying(true));
        onPlaced(order);
        if (draft.isPaid) await markPaid(order);
      }),
    printDraft: (draft, quote) =>
      run(draft, async () => {
        const body = tillOrderRequest(store, draft, { total: quote.total, override: false });
        if (!body) return;
        const { session: _session, channel: _channel, contact: _contact, payment_method: _method, ...basket } = body;
        await api('POST /v1/orders/print-temp-order', { ...basket, address: basket.address ?? null }, { timeout });
        notify({ id: 'till print', text: m.kitchen_till_printed() });
      }),
  };
}

interface Failed {
  draft: TillDraft;
  failure: FormFailure;
  problems: BasketProblem[] | null;
}

function problemsOf(error: unknown): BasketProblem[] | null {
  if (!(error instanceof ApiError) || error.code !== 'order_refused') return null;
  return error.body['problems'] as BasketProblem[];
}

async function markPaid(order: Order): Promise<void> {
  const { id, number, payment_method } = order;
  try {
    await api('POST /v1/orders/{id}/payment/mark-paid', { id, payment_method }, { timeout });
  } catch (error) {
    // The error is only reported, because the order was placed, and its ticket shows that it is unpaid.
    notify({ id: `paid ${id}`, text: m.kitchen_till_not_paid({ number, reason: refusalWords(error) }), tone: 'bad' });
  }
}
