import { m } from '#messages';
import {
  findLastCancellation,
  minutesLate,
  orderHeadline,
  orderRefundWords,
  promisedTimeRange,
  promiseWords,
  rejectionWords,
} from '#ordering/order-words.ts';
import { isReadyToCollect, nextStepCall } from '#ordering/next-status.ts';
import type { OrderStatus } from '#ordering/order.ts';
import { isInHand, isUnanswered, isUnderWay, isAwaitingPayment, orderStatusTable } from '#ordering/order-status.ts';
import { calendarFile } from '#ordering/web/order/calendar-file.ts';
import { type AnyOrder, isFullOrder } from '#ordering/web/order/use-order.ts';
import { addressWords } from '#store/address-words.ts';
import type { Store } from '#store/contract.ts';
import { timeWords } from '#platform/date-words.ts';
import { useNow } from '#platform/web/clock.ts';
import { nativeShell } from '#platform/web/native/native-shell.ts';
import { MINUTE } from '#platform/zone-clock.ts';
import { Icon } from '#ui/web/icon.tsx';
import type { IconName } from '#ui/web/icons.ts';
import './order-headline.css';

/** An order's status; `ready`: a collection that is packed. */
type TrackerState = OrderStatus | 'ready';

/** The picture of each state. `order-headline.css` has the colours, and the headline states both as text. */
export const stateIcons: Record<TrackerState, IconName> = {
  pending_payment: 'card',
  placed: 'clock',
  accepted: 'pot',
  packed: 'bag',
  ready: 'collection',
  out_for_delivery: 'delivery',
  delivered: 'home',
  collected: 'check',
  rejected: 'close',
  cancelled: 'undo',
  expired: 'warning',
};

interface OrderHeadlineProps {
  order: AnyOrder;
  store: Store;
  /** When the order was received, if the shop cannot be reached now; null while the order is current. */
  asOf: Date | null;
}

export function OrderHeadline({ order, store, asOf }: OrderHeadlineProps) {
  const now = useNow();
  // Lateness counts up to `asOf`, because the order may have arrived since then without the page knowing.
  const knownAt = asOf ?? now;
  const late = minutesLate(order, knownAt, store.slot_minutes);
  const isReady = isReadyToCollect(order);
  const state = isReady ? 'ready' : order.status;
  const promise = isUnderWay(order.status) && !isReady && late === 0 ? order.promised_at : null;
  const next = nextWords(order, store);
  return (
    <section className="order-headline grid gap-4 rounded-pane p-6 sm:p-8" data-state={state}>
      <p className="num flex items-center justify-between gap-4 font-semibold">
        {m.ordering_order_number({ number: order.number })}
        <Icon name={stateIcons[state]} className="size-10" />
      </p>
      <div role="status" className="grid gap-3">
        <h1 className="text-4xl leading-[1.02] font-extrabold sm:text-5xl">{orderHeadline(order, store, knownAt)}</h1>
        <Reasons order={order} currency={store.currency} />
        {late > 0 && order.promised_at && (
          <p className="num rounded-box bg-warm p-4 font-semibold text-warm-ink">
            {m.ordering_order_late({ minutes: late, time: latestOf(order, order.promised_at, store) })}
          </p>
        )}
      </div>
      {promise && (
        <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
          <p className="num display text-2xl font-bold">
            {promiseWords(order, promise, now, store)}
            <span className="block text-lg">{minutesLeftWords(order, promise, store, asOf ?? now)}</span>
          </p>
          {asOf === null && isInHand(order.status) && !nativeShell().app && (
            <CalendarButton order={order} store={store} promise={promise} />
          )}
        </div>
      )}
      {next && <p className="num max-w-prose text-pretty">{next}</p>}
    </section>
  );
}

const shownMinutes = 100;

/**
 * Formats the minutes until the promised range begins and ends; once it has begun, only those until its end. Returns
 * null if the order is unanswered, the range has ended, or its end is more than `shownMinutes` away.
 */
export function minutesLeftWords(
  order: Pick<AnyOrder, 'status' | 'requested_for' | 'fulfilment_type'>,
  promise: string,
  { slot_minutes: slotMinutes }: Pick<Store, 'slot_minutes'>,
  now: Date,
): string | null {
  const { from, to } = promisedTimeRange(promise, order, slotMinutes);
  const [first, last] = [from, to].map((at) => Math.ceil((at.getTime() - now.getTime()) / MINUTE)) as [number, number];
  if (isUnanswered(order.status) || last > shownMinutes || last <= 0) return null;
  return first > 0 ? m.ordering_order_minutes({ first, last }) : m.ordering_order_minutes_most({ last });
}

/** The next step, of the shop or the customer, in one sentence; null if there is none. */
function nextWords(order: AnyOrder, store: Store): string | null {
  if (isUnanswered(order.status)) {
    const by = isFullOrder(order) ? order.answer_by : null;
    return by ? m.ordering_next_answer({ time: timeWords(by, store.timezone) }) : null;
  }
  if (isReadyToCollect(order)) return m.ordering_next_collect({ number: order.number });
  if (!isInHand(order.status)) return null;
  if (nextStepCall(order) === 'delivered-to-customer') return m.ordering_next_door();
  return order.fulfilment_type === 'delivery' ? m.ordering_next_driver() : m.ordering_next_ready();
}

function CalendarButton({ order, store, promise }: { order: AnyOrder; store: Store; promise: string }) {
  const save = () => {
    const { from, to } = promisedTimeRange(promise, order, store.slot_minutes);
    const isDelivery = order.fulfilment_type === 'delivery';
    const file = calendarFile({
      uid: order.id,
      from,
      to,
      summary: `${store.name}: ${m.ordering_order_number({ number: order.number })}`,
      location: isDelivery ? '' : addressWords(store.address),
      url: `${location.origin}/orders/${order.id}`,
    });
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([file], { type: 'text/calendar' }));
    link.download = `order-${order.number}.ics`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), MINUTE);
  };
  return (
    <button type="button" className="min-h-11 font-semibold underline underline-offset-4" onClick={save}>
      {m.ordering_order_calendar()}
    </button>
  );
}

function Reasons({ order, currency }: { order: AnyOrder; currency: string }) {
  const sentences: string[] = [];
  const { reason } = orderStatusTable[order.status];
  if (reason === 'listed') sentences.push(rejectionWords(order.reject_reason));
  if (isAwaitingPayment(order.status) && order.payment_status === 'failed') sentences.push(m.ordering_pay_declined());
  const text = reason === 'text' && isFullOrder(order) && findLastCancellation(order.history).reason;
  if (text) sentences.push(m.ordering_reason_given({ reason: text }));
  const moneyBack = orderRefundWords(order, currency);
  if (moneyBack) sentences.push(moneyBack);
  return sentences.map((sentence) => (
    <p key={sentence} className="num max-w-prose text-lg text-pretty">
      {sentence}
    </p>
  ));
}

function latestOf(order: AnyOrder, promisedAt: string, { timezone, slot_minutes: slotMinutes }: Store): string {
  return timeWords(promisedTimeRange(promisedAt, order, slotMinutes).to, timezone);
}
