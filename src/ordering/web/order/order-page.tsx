import { type ComponentType, createElement, useEffect } from 'react';
import { m } from '#messages';
import { isHandedOver } from '#ordering/order-status.ts';
import type { Order } from '#ordering/order.ts';
import { useOrderOrCached } from '#ordering/web/order/cached-orders.ts';
import { OrderLayout, OrderView } from '#ordering/web/order/order-view.tsx';
import { isFullOrder, useOrder, timeWithDayWords } from '#ordering/web/order/use-order.ts';
import { useUnpaidOrderSync } from '#ordering/web/checkout/unpaid-order.ts';
import { ApiError } from '#platform/web/api.ts';
import { useNow } from '#platform/web/clock.ts';
import { Link, usePath } from '#platform/web/navigation.tsx';
import { useIsOnline } from '#platform/web/online.ts';
import { LoadingSkeleton, LoadFailure } from '#ui/web/load-states.tsx';
import { useStore } from '#shop/web/shop.ts';
import type { Store } from '#store/contract.ts';

interface PageProps {
  /** Returns the component of the order's complaints, which another domain owns. */
  complaints: () => ComponentType<{ order: Order; store: Store }>;
}

/**
 * The page of one order, kept up to date. The order's customer sees the whole order; anyone else with the link sees the
 * guest's view.
 */
export function OrderPage({ complaints }: PageProps) {
  const id = usePath().split('/')[2] ?? '';
  const store = useStore();
  const { query, isPolling } = useOrder(id);
  const { error, refetch, isFetched } = query;
  const { order, asOf } = useOrderOrCached(id, query);
  useUnpaidOrderSync(order);
  const isOnline = useIsOnline();
  const now = useNow();
  const number = order?.number;
  useEffect(() => {
    if (number) document.title = `${m.ordering_order_number({ number })} · ${store.name}`;
  }, [number, store.name]);

  if (error instanceof ApiError && error.status === 404) return <NoSuchOrder />;
  if (!order && error) return <LoadFailure error={error} onRetry={() => void refetch()} />;
  if (!order) {
    return (
      <LoadingSkeleton>
        <OrderLayout>
          <div className="grid content-start gap-6">
            <div className="skeleton h-64 rounded-pane" />
            <div className="skeleton h-44" />
          </div>
          <div className="skeleton h-96 lg:col-start-2" />
        </OrderLayout>
      </LoadingSkeleton>
    );
  }
  const notice = asOf
    ? oldWords(timeWithDayWords(asOf, now, store.timezone), isOnline)
    : isPolling && m.ordering_order_poll();
  const isAnswered = isFetched && asOf === null;
  return (
    <OrderView
      order={order}
      store={store}
      asOf={asOf}
      notice={notice}
      isAnswered={isAnswered}
      complaints={
        isFullOrder(order) && isHandedOver(order.status) && isAnswered && createElement(complaints(), { order, store })
      }
    />
  );
}

/** The warning that the page shows the order as of `time`, because the browser or the shop is offline. */
function oldWords(time: string, isOnline: boolean): string {
  return isOnline ? m.ordering_order_unreachable({ time }) : m.ordering_order_offline({ time });
}

function NoSuchOrder() {
  return (
    <div className="mx-auto grid max-w-md justify-items-center gap-4 px-4 py-20 text-center">
      <h1 className="text-3xl">{m.ordering_order_not_found()}</h1>
      <p className="text-ink-soft">{m.ordering_order_not_found_words()}</p>
      <Link href="/menu" className="btn btn-primary">
        {m.menu_see()}
      </Link>
    </div>
  );
}
