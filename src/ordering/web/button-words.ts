import { m } from '#messages';
import type { DeliveryState } from '#ordering/web/delivery-state.ts';
import { localDate, nearDayWords, timeWords } from '#platform/date-words.ts';
import { formatMoney } from '#platform/money.ts';
import type { PaymentMethod, Store } from '#store/contract.ts';

interface Tap {
  method: PaymentMethod;
  delivery: DeliveryState;
  /** Minor units. */
  total: number;
  /** null: as soon as possible. */
  requestedFor: string | null;
}

/** The label of the order button: the amount, as far as it is known, and the time, unless it is as soon as possible. */
export function buttonWords({ method, delivery, total, requestedFor }: Tap, store: Store, now: Date): string {
  if (delivery === 'refused') return m.ordering_check_address();
  const amount = { total: formatMoney(total, store.currency) };
  const isOpen = delivery === 'open';
  const action =
    method === 'card' && (isOpen || total > 0)
      ? isOpen
        ? m.ordering_pay_open(amount)
        : m.ordering_pay_now(amount)
      : isOpen
        ? m.ordering_place_open(amount)
        : m.ordering_place(amount);
  if (requestedFor === null) return action;
  return m.ordering_action_for({ action, time: momentWords(requestedFor, store, now) });
}

/** `23:00`, `tomorrow 12:00`, `Friday 12:00`. */
export function momentWords(instant: string, { timezone }: Pick<Store, 'timezone'>, now: Date): string {
  const time = timeWords(instant, timezone);
  if (localDate(instant, timezone) === localDate(now, timezone)) return time;
  return `${nearDayWords(instant, now, timezone)} ${time}`;
}
