import { useState } from 'react';
import { orderOf, type TillDraft } from '#kitchen/web/till/till-draft.ts';
import { m } from '#messages';
import { notify } from '#office/web/notices.tsx';
import { refusalWords } from '#office/web/refusal-words.ts';
import type { Quote } from '#ordering/basket.ts';
import type { Order } from '#ordering/order.ts';
import { api, ApiError } from '#platform/web/api.ts';
import { failureOf, type FormFailure, noFailure } from '#platform/web/ui/form-errors.ts';
import type { Store } from '#store/contract.ts';

const timeout = 20_000;

export interface Placing {
  isBusy: boolean;
  failure: FormFailure;
  place: (draft: TillDraft, quote: Quote) => Promise<void>;
  /** Prints what was typed so far, marked as no order. */
  printDraft: (draft: TillDraft, quote: Quote) => Promise<void>;
}

/** Sends the typed order, once: a second try after a lost answer is the same order, because its session is. */
export function usePlacing(store: Store, onPlaced: (order: Order) => void): Placing {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState(noFailure);
  const run = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setFailure(noFailure);
    try {
      await work();
    } catch (error) {
      const isLost = error instanceof ApiError && error.code === 'offline';
      setFailure(isLost ? { errors: {}, message: m.kitchen_till_no_answer() } : failureOf(error));
    }
    setBusy(false);
  };
  return {
    isBusy,
    failure,
    place: (draft, quote) =>
      run(async () => {
        const body = orderOf(store.id, draft, quote.total);
        if (!body) return;
        const { data: order } = await api('POST /v1/orders', body, { timeout });
        onPlaced(order);
        if (draft.isPaid) await markPaid(order);
      }),
    printDraft: (draft, quote) =>
      run(async () => {
        const body = orderOf(store.id, draft, quote.total);
        if (!body) return;
        const { session: _session, channel: _channel, contact: _contact, payment_method: _method, ...basket } = body;
        await api('POST /v1/orders/print-temp-order', { ...basket, address: basket.address ?? null }, { timeout });
        notify({ id: 'till print', text: m.kitchen_till_printed() });
      }),
  };
}

async function markPaid(order: Order): Promise<void> {
  const { id, number, payment_method } = order;
  try {
    await api('POST /v1/orders/{id}/payment/mark-paid', { id, payment_method }, { timeout });
  } catch (error) {
    // The order is made all the same; its ticket says that it is to be paid.
    notify({ id: `paid ${id}`, text: m.kitchen_till_not_paid({ number, reason: refusalWords(error) }), tone: 'bad' });
  }
}
