import { m } from '#messages';
import { isTaken } from '#ordering/order-status.ts';
import { isCardRefused, mayPay } from '#ordering/payment-status.ts';
import { PayButtons } from '#ordering/web/order-calls.tsx';
import { isWhole, type ShownOrder } from '#ordering/web/use-order.ts';
import { formatMoney } from '#platform/money.ts';
import type { Store } from '#store/contract.ts';
import { offeredMethods } from '#store/card-provider.ts';
import { PhoneLink } from '#store/web/shop-parts.tsx';

/** That the shop's order goes on and is not paid, because its card was refused, with the ways to pay it. */
export function CardRefused({ order, store }: { order: ShownOrder; store: Store }) {
  if (!isTaken(order.status) || !isCardRefused(order)) return null;
  const canPay = mayPay(order) && !order.payment_processing;
  return (
    <section aria-labelledby="refused-title" className="grid gap-4 rounded-pane bg-bad-soft p-5 text-bad-text sm:p-6">
      <div role="alert" className="grid gap-2">
        <h2 id="refused-title" className="text-2xl">
          {m.ordering_refused_title()}
        </h2>
        <p className="num">{m.ordering_refused({ total: formatMoney(order.total, store.currency) })}</p>
        <p className="font-semibold">{nextWords(order, store)}</p>
      </div>
      {canPay && isWhole(order) && (
        <PayButtons
          order={order}
          store={store}
          cash={
            order.fulfilment_type === 'delivery'
              ? m.ordering_refused_cash_delivery()
              : m.ordering_refused_cash_collection()
          }
        />
      )}
      <PhoneLink store={store} />
    </section>
  );
}

/** The customer's next step; somebody else who has the link can do nothing. */
function nextWords(order: ShownOrder, store: Store): string {
  if (order.payment_processing) return m.ordering_refused_asking();
  if (!mayPay(order)) return m.ordering_refused_at_handover();
  if (!isWhole(order)) return m.ordering_refused_guest();
  const methods = offeredMethods(store, order.fulfilment_type, order.total);
  if (methods.length === 0) return m.ordering_refused_call();
  return methods.includes('cash') ? m.ordering_refused_pay() : m.ordering_refused_pay_now();
}
