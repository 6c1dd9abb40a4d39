import { useQuery } from '@tanstack/react-query';
import type { OwnComplaint } from '#complaints/contract.ts';
import { m } from '#messages';
import type { Order } from '#ordering/order.ts';
import { orderSessionHeader } from '#ordering/web/order/stored-order-sessions.ts';
import { orderQueryKey, timeWithDayWords } from '#ordering/web/order/use-order.ts';
import { dateWords } from '#platform/date-words.ts';
import { formatMoney } from '#platform/money.ts';
import { api } from '#platform/web/api.ts';
import { useNow } from '#platform/web/clock.ts';
import { usePollingInterval } from '#realtime/web/use-channel.ts';
import type { Store } from '#store/contract.ts';
import { TypedText } from '#ui/web/typed-text.tsx';

interface CardProps {
  order: Order;
  store: Store;
}

/** The complaints about an order with their answers, and the refund so far; nothing without a complaint. */
export function OrderComplaints({ order, store }: CardProps) {
  const { id, refunded } = order;
  const { data } = useQuery({
    // The key begins with the order's own, so that a refetch of the order refetches its complaints.
    queryKey: [...orderQueryKey(id), 'complaints'],
    queryFn: async ({ signal }) =>
      (
        await api(
          'GET /v1/orders/{id}/complaints',
          { id },
          { signal, timeout: 20_000, headers: orderSessionHeader(id) },
        )
      ).data,
    refetchInterval: usePollingInterval(),
    refetchOnWindowFocus: true,
  });
  if (!data || data.length === 0) return null;
  return (
    <section aria-labelledby="complaints-title" className="card grid gap-4 p-5 sm:p-6">
      <h2 id="complaints-title" className="text-2xl">
        {m.complaints_card_title()}
      </h2>
      <div role="status" aria-atomic="false" className="grid gap-4">
        {data.map((complaint) => (
          <Complaint key={complaint.reference} complaint={complaint} store={store} />
        ))}
        {refunded > 0 && (
          <p className="num rounded-box bg-good-soft px-4 py-3 font-semibold">
            {m.complaints_card_refunded({ amount: formatMoney(refunded, store.currency) })}
          </p>
        )}
      </div>
    </section>
  );
}

function Complaint({ complaint, store: { timezone } }: { complaint: OwnComplaint; store: Store }) {
  const { reference, created_at: sent, due_at: due, answered_at: answered, lines, message, answer } = complaint;
  const now = useNow();
  return (
    <article className="grid gap-2 border-t border-line pt-4 first:border-0 first:pt-0">
      <p className="num text-ink-soft">
        {m.complaints_card_sent({ time: timeWithDayWords(sent, now, timezone), reference })}
      </p>
      {lines.length > 0 && (
        <p className="font-semibold">{lines.map(({ quantity, name }) => `${quantity} × ${name}`).join(', ')}</p>
      )}
      <p className="wrap-anywhere">
        <TypedText text={message} />
      </p>
      {answered === null ? (
        <p className="num rounded-box bg-warn-soft px-4 py-3 font-semibold">
          {m.complaints_card_waiting({ date: dateWords(due, timezone) })}
        </p>
      ) : (
        <div className="grid gap-1 rounded-box bg-sunken px-4 py-3">
          <h3 className="num font-semibold">
            {m.complaints_card_answer({ time: timeWithDayWords(answered, now, timezone) })}
          </h3>
          <p className="wrap-anywhere">
            <TypedText text={answer} />
          </p>
        </div>
      )}
    </article>
  );
}
