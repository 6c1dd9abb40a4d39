import { m } from '#messages';
import { isReadyToCollect } from '#ordering/next-status.ts';
import { cancellationIn, moneyBackWords, promiseWords } from '#ordering/order-words.ts';
import { isCalledOff, isUnderWay, isUnpaid, statuses } from '#ordering/order-status.ts';
import { headlineOf, minutesLate, promisedRange, rejectionWords } from '#ordering/tracker.ts';
import { isWhole, type ShownOrder } from '#ordering/web/use-order.ts';
import { timeWords } from '#platform/date-words.ts';
import { useNow } from '#platform/web/clock.ts';
import type { Store } from '#store/contract.ts';

/** Where the order is and when it comes, large; told to a screen reader whenever it changes. */
export function OrderHeadline({ order, store, asOf }: { order: ShownOrder; store: Store; asOf: Date | null }) {
  const now = useNow();
  // The state since is not known: an order last seen in time may be at the door by now.
  const knownAt = asOf ?? now;
  const late = minutesLate(order, knownAt, store.slot_minutes);
  const isOver = isCalledOff(order.status);
  return (
    <section
      className={`grid gap-4 rounded-pane p-6 sm:p-8 ${isOver ? 'bg-sunken text-ink' : 'bg-hero text-hero-ink'}`}
    >
      <p className="num font-semibold">{m.ordering_order_number({ number: order.number })}</p>
      <div role="status" className="grid gap-3">
        <h1 className="text-4xl leading-[1.02] font-extrabold sm:text-5xl">{headlineOf(order, store, knownAt)}</h1>
        <Reasons order={order} currency={store.currency} />
        {late > 0 && order.promised_at && (
          <p className="num rounded-box bg-warm p-4 font-semibold text-warm-ink">
            {m.ordering_order_late({ minutes: late, time: latestOf(order, order.promised_at, store) })}
          </p>
        )}
      </div>
      {/* A time that has passed is no promise any more. */}
      {isUnderWay(order.status) && !isReadyToCollect(order) && late === 0 && order.promised_at && (
        <p className="num display text-2xl font-bold">{promiseWords(order, order.promised_at, now, store)}</p>
      )}
    </section>
  );
}

function Reasons({ order, currency }: { order: ShownOrder; currency: string }) {
  const sentences: string[] = [];
  const { reason } = statuses[order.status];
  if (reason === 'listed') sentences.push(rejectionWords(order.reject_reason));
  if (isUnpaid(order.status) && order.payment_status === 'failed') sentences.push(m.ordering_pay_declined());
  const text = reason === 'text' && isWhole(order) && cancellationIn(order.history).reason;
  if (text) sentences.push(m.ordering_reason_given({ reason: text }));
  const moneyBack = moneyBackWords(order, currency);
  if (moneyBack) sentences.push(moneyBack);
  return sentences.map((sentence) => (
    <p key={sentence} className="num max-w-prose text-lg text-pretty">
      {sentence}
    </p>
  ));
}

/** The end of the promised time, as a time of day. */
function latestOf(order: ShownOrder, promisedAt: string, { timezone, slot_minutes: slotMinutes }: Store): string {
  return timeWords(promisedRange(promisedAt, order.requested_for, slotMinutes).to, timezone);
}
