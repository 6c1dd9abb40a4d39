import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { orderOf, type TillDraft } from '#kitchen/web/till/till-draft.ts';
import { m } from '#messages';
import { notify } from '#ui/web/notify.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import type { Problem, Quote } from '#ordering/basket.ts';
import type { Order } from '#ordering/order.ts';
import { isOverridable } from '#ordering/override.ts';
import { sendOrder } from '#ordering/web/send-order.ts';
import { api, ApiError } from '#platform/web/api.ts';
import { failureOf, type FormFailure, noFailure } from '#ui/web/form-errors.ts';
import type { Store } from '#store/contract.ts';

const timeout = 20_000;

export interface Placing {
  isBusy: boolean;
  /** The shop has not answered yet, and the same order is sent again. */
  isRetrying: boolean;
  /** The price of the current draft. */
  failure: FormFailure;
  /** The problems of the draft: from the quote, or from the refusal that came after it. */
  problems: readonly Problem[];
  /** The problems that the next attempt overrides, because staff were warned. */
  warnings: readonly Problem[];
  place: (draft: TillDraft, quote: Quote) => Promise<void>;
  /** Prints the typed order, marked as not an order. */
  printDraft: (draft: TillDraft, quote: Quote) => Promise<void>;
}

/** Sends the typed order once: a second attempt after a lost answer has the same session, so it is the same order. */
export function usePlacing(
  { store, draft: shown, quote: shownQuote }: { store: Store; draft: TillDraft; quote: Quote | undefined },
  onPlaced: (order: Order) => void,
): Placing {
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [isRetrying, setRetrying] = useState(false);
  const [failed, setFailed] = useState<Failed | null>(null);
  // A change after a refusal may correct the error.
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
        failure: isLost ? { errors: {}, message: m.kitchen_till_no_answer() } : failureOf(error),
        problems: problemsOf(error),
      });
      // Prices or the shop have changed.
      if (!isLost) void client.invalidateQueries({ queryKey: ['till quote'] });
    }
    setBusy(false);
    setRetrying(false);
  };
  return {
    isBusy,
    isRetrying,
    failure: refused?.failure ?? noFailure,
    problems,
    warnings,
    place: (draft, quote) =>
      run(draft, async () => {
        const body = orderOf(store.id, draft, { total: quote.total, override: warnings.length > 0 });
        if (!body) return;
        const order = await sendOrder(body, timeout, () => setRetrying(true));
        onPlaced(order);
        if (draft.isPaid) await markPaid(order);
      }),
    printDraft: (draft, quote) =>
      run(draft, async () => {
        const body = orderOf(store.id, draft, { total: quote.total, override: false });
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
  problems: Problem[] | null;
}

function problemsOf(error: unknown): Problem[] | null {
  if (!(error instanceof ApiError) || error.code !== 'order_refused') return null;
  return error.body['problems'] as Problem[];
}

async function markPaid(order: Order): Promise<void> {
  const { id, number, payment_method } = order;
  try {
    await api('POST /v1/orders/{id}/payment/mark-paid', { id, payment_method }, { timeout });
  } catch (error) {
    // The order is made in any case; its ticket shows that it is not paid.
    notify({ id: `paid ${id}`, text: m.kitchen_till_not_paid({ number, reason: refusalWords(error) }), tone: 'bad' });
  }
}
