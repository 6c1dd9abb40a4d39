import { useState } from 'react';
import { m } from '#messages';
import { isUnderWay, isAwaitingPayment } from '#ordering/order-status.ts';
import { isCardPaymentRefused } from '#ordering/payment-status.ts';
import { orderHeadline } from '#ordering/order-words.ts';
import { readRecentOrderIds } from '#ordering/web/order/stored-order-sessions.ts';
import { useOrderOrCached } from '#ordering/web/order/cached-orders.ts';
import { isFullOrder, type AnyOrder, useOrder, timeWithDayWords } from '#ordering/web/order/use-order.ts';
import { useUnpaidOrderSync } from '#ordering/web/checkout/unpaid-order.ts';
import { shopNow, useNow } from '#platform/web/clock.ts';
import { Link } from '#platform/web/navigation.tsx';
import { useStore } from '#shop/web/shop.ts';

/** Links to this browser's open orders, kept up to date; renders nothing without any. */
export function OpenOrderLinks() {
  const [ids] = useState(() => readRecentOrderIds(new Date(shopNow())));
  return (
    <div className="mx-auto grid w-full max-w-page gap-2 px-4 py-4 empty:hidden lg:px-8">
      {ids.map((id) => (
        <OpenOrderLink key={id} id={id} />
      ))}
    </div>
  );
}

/** A link to an open order, kept up to date. `hint`: a sentence that is shown while the order waits for its payment. */
export function OpenOrderLink({ id, hint }: { id: string; hint?: string }) {
  const { order, asOf } = useOrderOrCached(id, useOrder(id).query);
  useUnpaidOrderSync(order);
  const store = useStore();
  const now = useNow();
  if (!order) return null;
  const { number } = order;
  const age = asOf && ` (${m.ordering_open_orders_as_of({ time: timeWithDayWords(asOf, now, store.timezone) })})`;
  if (isAwaitingPayment(order.status)) {
    return (
      <p className={`${strip} bg-warm text-warm-ink`}>
        <span className="num mr-auto">
          {order.payment_processing
            ? m.ordering_open_orders_processing({ number })
            : m.ordering_open_orders_waits({ number })}
          {age}
        </span>
        {hint && (
          <span className="order-last w-full pb-2 font-normal">
            {order.payment_processing ? m.ordering_waiting_here_processing() : hint}
          </span>
        )}
        <PayLink order={order} />
        <SeeLink id={id} />
      </p>
    );
  }
  if (!isUnderWay(order.status)) return null;
  const isRefused = isCardPaymentRefused(order) && !order.payment_processing;
  return (
    <p className={`${strip} ${isRefused ? 'bg-bad-soft text-bad-text' : 'bg-sunken'}`}>
      <span className="num mr-auto">
        {isRefused
          ? m.ordering_open_orders_refused({ number })
          : m.ordering_open_orders_going({ number, words: orderHeadline(order, store, asOf ?? now) })}
        {age}
      </span>
      <SeeLink id={id} />
    </p>
  );
}

const strip = 'flex flex-wrap items-center gap-x-5 rounded-box px-4 pt-2 pb-1 font-semibold';
const link = 'inline-flex min-h-11 items-center underline underline-offset-4';

/**
 * A link to the order's payment page; renders nothing if none is open. Only the order's own page can open a new one.
 */
function PayLink({ order }: { order: AnyOrder }) {
  const payAt = isFullOrder(order) && !order.payment_processing ? order.payment.redirect_url : null;
  if (!payAt) return null;
  return (
    <a href={payAt} className={link}>
      {m.ordering_open_orders_pay()}
    </a>
  );
}

function SeeLink({ id }: { id: string }) {
  return (
    <Link href={`/orders/${id}`} className={link}>
      {m.ordering_open_orders_see()}
    </Link>
  );
}
