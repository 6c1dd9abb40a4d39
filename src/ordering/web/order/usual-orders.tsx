import { useEffect } from 'react';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { m } from '#messages';
import { useSession } from '#accounts/web/session.ts';
import type { Menu } from '#menu/menu-shapes.ts';
import { isDishSoldOut } from '#menu/sold-out.ts';
import type { Order } from '#ordering/order.ts';
import { handedOverStatuses, isHandedOver } from '#ordering/order-status.ts';
import { hasBasketLines, useBasketPart } from '#ordering/web/basket/basket-store.ts';
import { useOfferedPrices, useOfferEngine } from '#ordering/web/basket/use-offers.ts';
import { DishPrice } from '#ordering/web/menu/dish-price.tsx';
import { useFavouriteDishes } from '#ordering/web/menu/favourite-dishes.ts';
import { changeSentence, planReorder, ReorderButton } from '#ordering/web/order/reorder-button.tsx';
import { readStoredOrderIds } from '#ordering/web/order/stored-order-sessions.ts';
import { isFullOrder, orderQuery } from '#ordering/web/order/use-order.ts';
import { slowestDishMinutes } from '#ordering/web/use-soonest-time.ts';
import { formatMoney } from '#platform/money.ts';
import { api } from '#platform/web/api.ts';
import { useNow } from '#platform/web/clock.ts';
import { Link } from '#platform/web/navigation.tsx';
import { useShop } from '#shop/web/shop.ts';
import type { Store } from '#store/contract.ts';
import { soonestReadyTimeWords } from '#store/web/fulfilment.ts';

const shownAtMost = 3;

/** The customer's last orders at today's prices, and their favourite dishes; hidden while the basket has dishes. */
export function UsualOrders({ onSettled }: { onSettled: () => void }) {
  const { store, menus } = useShop();
  const { user, role } = useSession();
  const isChoosing = useBasketPart(hasBasketLines);
  const queries = useQueryClient();
  const { data: orders = [], isPending } = useQuery({
    queryKey: ['usual', user?.id],
    queryFn: ({ signal }) => (role === 'customer' ? readAccountOrders(signal) : readDeviceOrders(queries)),
    staleTime: 60_000,
  });
  useEffect(() => {
    if (!isPending) onSettled();
  }, [isPending, onSettled]);
  const offered = useOfferedPrices();
  const dishes = favouritesOn(menus, useFavouriteDishes());
  const now = useNow();
  if (isChoosing || (orders.length === 0 && dishes.length === 0)) return null;
  return (
    <section aria-labelledby="usual-title" className="mx-auto grid w-full max-w-page gap-3 px-4 py-4 lg:px-8">
      <h2 id="usual-title" className="text-xl">
        {m.ordering_usual_title()}
      </h2>
      {orders.length > 0 && (
        <ul className="grid auto-cols-[min(18rem,85%)] grid-flow-col gap-3 overflow-x-auto pb-1">
          {orders.map((order) => (
            <UsualOrder key={order.id} order={order} store={store} menus={menus} now={now} />
          ))}
        </ul>
      )}
      {dishes.length > 0 && (
        <ul aria-label={m.ordering_favourites()} className="flex gap-2 overflow-x-auto pb-1">
          {dishes.map((dish) => (
            <li key={dish.id}>
              <Link
                href={`/menu?item=${dish.id}`}
                className="num flex min-h-11 items-center gap-2 rounded-full border border-line-strong bg-surface px-4 font-semibold whitespace-nowrap hover:bg-sunken"
              >
                <span aria-hidden="true">♥</span> {dish.name}
                <span className="font-normal text-ink-soft">
                  {isDishSoldOut(dish, now) ? (
                    m.menu_sold_out()
                  ) : (
                    <DishPrice item={dish} currency={store.currency} offered={offered?.get(dish.id)} />
                  )}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

interface UsualOrderProps {
  order: Order;
  store: Store;
  menus: readonly Menu[];
  now: Date;
}

function UsualOrder({ order, store, menus, now }: UsualOrderProps) {
  const { lines, changes, total } = planReorder(order, store, menus, now, useOfferEngine(store));
  const time = soonestReadyTimeWords(
    store,
    order.fulfilment_type,
    order.address?.postcode ?? '',
    now,
    slowestDishMinutes(
      menus,
      lines.map((line) => ({ ...line, key: line.item_id })),
    ),
  );
  return (
    <li className="card grid content-between gap-3 p-4">
      <div className="grid gap-1">
        <Link href={`/orders/${order.id}`} className="line-clamp-2 font-semibold">
          {order.lines.map((line) => `${line.quantity} × ${line.name}`).join(', ')}
        </Link>
        {total !== null && (
          <p className="num text-sm text-ink-soft">
            {m.ordering_usual_today({ total: formatMoney(total, store.currency), time })}
          </p>
        )}
        {changes.map((view) => (
          <p key={view.line.key} className="num text-sm text-warn-text">
            {changeSentence(view, store.currency)}
          </p>
        ))}
      </div>
      <div>
        <ReorderButton order={order} areChangesShown={lines.length > 0} />
      </div>
    </li>
  );
}

async function readAccountOrders(signal: AbortSignal): Promise<Order[]> {
  const { data } = await api('GET /v1/orders', { status: handedOverStatuses.join(), per_page: 10 }, { signal });
  return withoutRepeats(data);
}

/**
 * Reads the newest orders that were placed in this browser and handed over. An order that cannot be read is left out.
 */
async function readDeviceOrders(queries: QueryClient): Promise<Order[]> {
  // `OpenOrderLink` fetches the newest orders with the same query, so both share the query cache.
  const ids = readStoredOrderIds().slice(0, 5);
  const answers = await Promise.allSettled(ids.map((id) => queries.fetchQuery(orderQuery(id))));
  return withoutRepeats(
    answers.flatMap((answer) =>
      answer.status === 'fulfilled' && isFullOrder(answer.value) && isHandedOver(answer.value.status)
        ? [answer.value]
        : [],
    ),
  );
}

/** Returns the newest orders. Of orders with the same dishes only the newest is returned. */
export function withoutRepeats(orders: readonly Order[]): Order[] {
  const byContent = new Map<string, Order>();
  for (const order of orders) {
    const lines = order.lines.map(({ item_id: item, quantity, options }) =>
      JSON.stringify([item, quantity, options.map((option) => [option.option_id, option.quantity])]),
    );
    const content = lines.toSorted().join();
    if (!byContent.has(content)) byContent.set(content, order);
  }
  return [...byContent.values()].slice(0, shownAtMost);
}

function favouritesOn(menus: readonly Menu[], ids: readonly string[]) {
  const dishes = menus.flatMap(({ categories = [] }) => categories.flatMap(({ items = [] }) => items));
  return ids.flatMap((id) => dishes.find((dish) => dish.id === id && dish.is_active) ?? []);
}
