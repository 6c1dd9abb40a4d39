import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { m } from '#messages';
import type { BasketView } from '#ordering/web/basket-view.ts';
import { buttonWords } from '#ordering/web/button-words.ts';
import type { OrderBody } from '#ordering/web/send-order.ts';
import { api } from '#platform/web/api.ts';
import { useNow } from '#platform/web/clock.ts';
import { focusField } from '#ui/web/error-summary.tsx';
import { failureOf } from '#ui/web/form-errors.ts';
import { Sheet } from '#ui/web/sheet.tsx';

interface LaterInsteadProps {
  view: BasketView;
  /** The order that was wanted as soon as possible. Nothing has been ordered yet. */
  body: OrderBody;
  /** Places the order with its time, or without one if as soon as possible is available again. */
  onAccept: (order: OrderBody) => void;
  onClose: () => void;
}

/** The shop takes nothing for now any more: the customer decides whether to order for later, and for when. */
export function LaterInstead({ view, body, onAccept, onClose }: LaterInsteadProps) {
  const now = useNow();
  // Only the server knows how full the times are.
  const { data, error } = useQuery({
    // Requested again whenever the shop changes; the stale times stay until the answer arrives.
    queryKey: ['later instead', body, view.store.version],
    placeholderData: keepPreviousData,
    queryFn: async () => (await api('POST /v1/orders/quote', body, { timeout: 15_000 })).data,
    gcTime: 0,
    retry: false,
  });
  const refusal = data?.problems.find(({ path }) => path === 'requested_for')?.message;
  const time = refusal === undefined ? null : data?.earliest_at;
  const tap = { method: body.payment_method, delivery: 'known' as const, total: body.expected_total };
  const choose = () => {
    onClose();
    // After the dialog has returned the focus.
    setTimeout(() => focusField('requested_for'));
  };
  return (
    <Sheet labelledBy="later-title" onClose={onClose}>
      <div className="grid gap-5 overflow-y-auto p-6">
        <h2 id="later-title" className="text-2xl">
          {m.ordering_later_title()}
        </h2>
        <p role="status" className="num">
          {error ? failureOf(error).message : data ? (refusal ?? m.ordering_later_after_all()) : m.platform_loading()}
        </p>
        <p>{m.ordering_later_words()}</p>
        <div className="flex flex-wrap gap-3">
          {data && time !== undefined && (refusal === undefined || time !== null) && (
            <button
              type="button"
              className="btn btn-primary num"
              onClick={() => onAccept({ ...body, requested_for: time })}
            >
              {buttonWords({ ...tap, requestedFor: time }, view.store, now)}
            </button>
          )}
          <button type="button" className="btn btn-quiet" onClick={choose}>
            {m.ordering_later_other()}
          </button>
        </div>
      </div>
    </Sheet>
  );
}
