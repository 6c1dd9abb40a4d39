import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { m } from '#messages';
import type { Order } from '#ordering/order.ts';
import { doneStatuses } from '#ordering/order-status.ts';
import { orderHeadline } from '#ordering/order-words.ts';
import { ReorderButton } from '#ordering/web/order/reorder-button.tsx';
import { dateWords } from '#platform/date-words.ts';
import { formatMoney } from '#platform/money.ts';
import { api } from '#platform/web/api.ts';
import { useNow } from '#platform/web/clock.ts';
import { Link } from '#platform/web/navigation.tsx';
import { Icon } from '#ui/web/icon.tsx';
import { LoadingSkeleton, LoadFailure } from '#ui/web/load-states.tsx';
import type { Store } from '#store/contract.ts';
import { useStore } from '#shop/web/shop.ts';

export function CustomerOrdersPage() {
  const store = useStore();
  const [page, setPage] = useState(1);
  const orders = useQuery({
    queryKey: ['orders', page],
    queryFn: () => api('GET /v1/orders', { page }, { timeout: 20_000 }),
    refetchOnMount: 'always',
  });
  if (!orders.data && orders.error) return <LoadFailure error={orders.error} onRetry={() => void orders.refetch()} />;
  if (!orders.data) {
    return (
      <LoadingSkeleton>
        <div className="mx-auto grid w-full max-w-3xl gap-3 px-4 py-8 lg:py-12">
          <div className="skeleton mb-3 h-10 w-1/2" />
          {[1, 2, 3].map((row) => (
            <div key={row} className="skeleton h-36" />
          ))}
        </div>
      </LoadingSkeleton>
    );
  }
  const { data, meta } = orders.data;
  return (
    <div className="mx-auto grid w-full max-w-3xl gap-6 px-4 py-8 lg:py-12">
      <h1 className="text-4xl font-extrabold">{m.accounts_my_orders()}</h1>
      {data.length === 0 ? (
        <div className="card grid justify-items-center gap-4 px-6 py-14 text-center">
          <Icon name="bag" className="size-14 text-ink-soft" />
          <h2 className="text-2xl">{m.ordering_my_orders_none_title()}</h2>
          <p className="text-lg text-ink-soft">{m.ordering_my_orders_none_words()}</p>
          <Link href="/menu" className="btn btn-primary">
            {m.menu_see()}
          </Link>
        </div>
      ) : (
        <ul className="grid gap-3">
          {data.map((order) => (
            <OrderRow key={order.id} order={order} store={store} />
          ))}
        </ul>
      )}
      {meta.last_page > 1 && (
        <nav aria-label={m.ordering_pages()} className="flex items-center justify-between gap-3">
          <button type="button" className="btn btn-quiet" disabled={page === 1} onClick={() => setPage(page - 1)}>
            {m.ordering_pages_newer()}
          </button>
          <span className="num text-ink-soft">{m.ordering_pages_at({ page, last: meta.last_page })}</span>
          <button
            type="button"
            className="btn btn-quiet"
            disabled={page >= meta.last_page}
            onClick={() => setPage(page + 1)}
          >
            {m.ordering_pages_older()}
          </button>
        </nav>
      )}
    </div>
  );
}

function OrderRow({ order, store }: { order: Order; store: Store }) {
  const now = useNow();
  return (
    <li className="card hover:border-accent-text">
      <Link href={`/orders/${order.id}`} className="flex items-center gap-4 rounded-pane p-4 sm:p-5">
        <span className="grid min-w-0 flex-1 gap-0.5">
          <span className="display num flex flex-wrap justify-between gap-x-4 text-lg">
            <span>
              {m.ordering_order_number({ number: order.number })} · {dateWords(order.created_at, store.timezone)}
            </span>
            <span>{formatMoney(order.total, store.currency)}</span>
          </span>
          <span className="line-clamp-2">
            {order.lines.map((line) => `${line.quantity} × ${line.name}`).join(', ')}
          </span>
          <span className="text-sm text-ink-soft">{orderHeadline(order, store, now)}</span>
        </span>
        <Icon name="chevronRight" className="size-5 text-accent-text" />
      </Link>
      {doneStatuses.includes(order.status) && (
        <div className="px-4 pb-4 sm:px-5 sm:pb-5">
          <ReorderButton order={order} />
        </div>
      )}
    </li>
  );
}
