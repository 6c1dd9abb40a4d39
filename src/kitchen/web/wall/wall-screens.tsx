import {
  type CSSProperties,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Link } from 'wouter';
import { wasCancelledAfterAccept, type OrdersByStage } from '#kitchen/board-layout.ts';
import { orderUrgency } from '#kitchen/order-urgency.ts';
import { type CollectionScreenNumber, collectionScreenNumbers, tileGrid, wallOrders } from '#kitchen/wall.ts';
import { useBoardConnection, useSecondsSinceMessage } from '#kitchen/web/board/use-board-connection.ts';
import { useBoardSettings } from '#kitchen/web/board/use-board-settings.ts';
import { useOrderUpdatesAndPresence } from '#kitchen/web/board/order-board.tsx';
import { useStoreOrders } from '#kitchen/web/board/use-orders.ts';
import { StationContext, useStationView } from '#kitchen/web/board/use-station.ts';
import { lastMessageAgeWords, timeLeftWords } from '#kitchen/web/board-words.ts';
import { keepScreenAwake } from '#kitchen/web/screen-awake.ts';
import { AvoidedAllergens, RemovedLines, TicketLines } from '#kitchen/web/ticket/ticket-lines.tsx';
import classes from '#kitchen/web/wall/wall-screens.module.css';
import { m } from '#messages';
import { wishWords } from '#ordering/order-words.ts';
import type { Order } from '#ordering/order.ts';
import { timeWords } from '#platform/date-words.ts';
import { shopNow, useShopTime } from '#platform/web/clock.ts';
import type { Store } from '#store/contract.ts';
import { TypedText } from '#ui/web/typed-text.tsx';
import { Icon } from '#ui/web/office/office-icon.tsx';
import { LoadingState, OfficeLoadFailure } from '#ui/web/office/states.tsx';

/** The accepted orders for the kitchen's wall, without buttons, in text that is readable from three metres. */
export function KitchenWall({ store }: { store: Store }) {
  return (
    <Wall store={store} title={m.kitchen_wall_title()} staleWords={(heard) => m.kitchen_wall_stale({ heard })}>
      {(columns) => <CookingOrders store={store} columns={columns} />}
    </Wall>
  );
}

/** The numbers of collections for customers at the counter: without names, dishes and money. */
export function CollectionNumbersScreen({ store }: { store: Store }) {
  return (
    <Wall store={store} title={m.kitchen_ready_title()} staleWords={m.kitchen_ready_stale}>
      {(columns, now) => {
        const { preparing, ready } = collectionScreenNumbers(columns, now);
        return (
          <div className={classes.numbers}>
            <Numbers title={m.kitchen_ready_preparing()} numbers={preparing} />
            <Numbers title={m.kitchen_ready_ready()} numbers={ready} isReady />
          </div>
        );
      }}
    </Wall>
  );
}

interface WallProps {
  store: Store;
  title: string;
  /** The text that says that the screen is stale; `heard`: how long ago it was updated, as text. */
  staleWords: (heard: string) => string;
  children: (columns: OrdersByStage, now: number) => ReactNode;
}

function Wall({ store, title, staleWords, children }: WallProps) {
  const orders = useStoreOrders(store);
  // `false`, because a wall screen has no buttons, so it must not count as an attended order board.
  useOrderUpdatesAndPresence(store.id, orders, false);
  useEffect(() => {
    const awake = keepScreenAwake();
    void awake.ask();
    return awake.end;
  }, []);
  const { text, sort } = useBoardSettings();
  const view = useStationView(orders.orders);
  const now = useShopTime(5);
  const line = useBoardConnection(store.id);
  const silent = useSecondsSinceMessage();
  useEffect(() => {
    document.title = title;
  }, [title]);
  if (orders.query.isPending) return <LoadingState />;
  if (!orders.query.data) return <OfficeLoadFailure error={orders.query.error} onRetry={orders.refetch} />;
  const isStale = line === 'dead' || orders.query.isError;
  return (
    <StationContext value={view.station}>
      <main className={classes.wall} data-text={text} data-line={line} data-stale={isStale || undefined}>
        <h1 className="visually-hidden">{title}</h1>
        {children(wallOrders(view.orders.values(), store, now, sort), now)}
        {isStale && (
          <p className={classes.stale} role="alert">
            <Icon name="offline" /> {staleWords(lastMessageAgeWords(silent ?? 0))}
          </p>
        )}
        <footer className={classes.footer}>
          <span>{store.name}</span>
          <time>{timeWords(new Date(now).toISOString(), store.timezone)}</time>
          <Link href="/kitchen">{m.kitchen_wall_back()}</Link>
        </footer>
      </main>
    </StationContext>
  );
}

function CookingOrders({ store, columns }: { store: Store; columns: OrdersByStage }) {
  const { box, hidden } = useWholeTickets();
  const { kitchen, new: unanswered, ready } = columns;
  return (
    <>
      <p className={classes.counts}>
        <span>{m.kitchen_wall_cooking({ count: kitchen.length })}</span>
        {unanswered.length > 0 && <strong data-new>{m.kitchen_wall_new({ count: unanswered.length })}</strong>}
        {ready.length > 0 && <span>{m.kitchen_wall_ready({ count: ready.length })}</span>}
        {hidden > 0 && <strong data-more>{m.kitchen_wall_more({ count: hidden })}</strong>}
      </p>
      <div className={classes.tickets} ref={box}>
        {kitchen.map((order) => (
          <WallTicket key={order.id} order={order} store={store} />
        ))}
        {kitchen.length === 0 && <p className={classes.none}>{m.kitchen_board_empty_kitchen()}</p>}
      </div>
    </>
  );
}

function WallTicket({ order, store }: { order: Order; store: Store }) {
  const now = shopNow();
  const mustStop = wasCancelledAfterAccept(order);
  const wishes = wishWords(order);
  const isDelivery = order.fulfilment_type === 'delivery';
  return (
    <article
      className={classes.ticket}
      aria-labelledby={`wall-${order.id}`}
      data-wall={order.id}
      data-level={mustStop ? 'late' : orderUrgency(order, store, now)}
    >
      <header>
        <h2 id={`wall-${order.id}`}>{m.kitchen_board_number({ number: order.number })}</h2>
        <p>
          <Icon name={isDelivery ? 'delivery' : 'bag'} size="1em" />{' '}
          {isDelivery ? m.kitchen_board_delivery() : m.kitchen_board_collection()}
        </p>
        {!mustStop && <strong>{timeLeftWords(order, store, now)}</strong>}
      </header>
      {mustStop && <p className={classes.stop}>{m.kitchen_board_stop_title()}</p>}
      {order.allergy_note && (
        <p className={classes.allergy}>
          <strong>{m.kitchen_board_allergy()}:</strong> <TypedText text={order.allergy_note} />
        </p>
      )}
      <AvoidedAllergens order={order} />
      <RemovedLines order={order} />
      <TicketLines lines={order.lines} tick={null} />
      {order.note && (
        <p className={classes.note}>
          <strong>{m.kitchen_board_order_note()}:</strong> <TypedText text={order.note} />
        </p>
      )}
      {wishes.length > 0 && <p className={classes.note}>{wishes.join('. ')}</p>}
    </article>
  );
}

function Numbers({ title, numbers, isReady }: { title: string; numbers: CollectionScreenNumber[]; isReady?: boolean }) {
  const box = useRef<HTMLUListElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    if (!box.current) return undefined;
    const watch = new ResizeObserver(([entry]) => entry && setSize(entry.contentRect));
    watch.observe(box.current);
    return () => watch.disconnect();
  }, []);
  const digits = Math.max(2, ...numbers.map(({ number }) => number.length));
  const grid = tileGrid(size, numbers.length, 0.55 * digits + 0.4);
  return (
    <section className={classes.stage} data-stage={isReady ? 'ready' : 'preparing'}>
      <h2>{title}</h2>
      <ul
        ref={box}
        aria-live={isReady ? 'polite' : undefined}
        // The cast is safe: React's types lack CSS variables.
        style={{ '--columns': grid.columns, '--row': `${grid.height}px` } as CSSProperties}
      >
        {numbers.map(({ id, number, isJustReady }) => (
          <li key={id} data-just-ready={isJustReady || undefined}>
            {number}
            {isJustReady && <span className="visually-hidden"> {m.kitchen_ready_now()}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}

/**
 * Hides the tickets that do not fit completely into the box, except the first ticket. Returns the number of hidden
 * tickets.
 */
function useWholeTickets(): { box: RefObject<HTMLDivElement | null>; hidden: number } {
  const box = useRef<HTMLDivElement>(null);
  const [hidden, setHidden] = useState(0);
  useLayoutEffect(() => {
    const tickets = box.current;
    if (!tickets) return undefined;
    const measure = (): void => {
      const end = tickets.getBoundingClientRect().right + 1;
      const beyond = [...tickets.children].map((ticket) =>
        [...ticket.getClientRects()].some(({ right }) => right > end),
      );
      for (const [place, ticket] of [...tickets.children].entries())
        ticket.toggleAttribute('data-beyond', place > 0 && beyond[place] === true);
      setHidden(beyond.filter((isBeyond, place) => place > 0 && isBeyond).length);
    };
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(tickets);
    for (const ticket of tickets.children) watch.observe(ticket);
    return () => watch.disconnect();
  });
  return { box, hidden };
}
