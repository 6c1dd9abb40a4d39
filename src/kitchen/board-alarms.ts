import { isInHand, isUnanswered, openStatuses } from '#ordering/order-status.ts';
import type { OrderComplaint } from '#complaints/contract.ts';
import { mustStopCooking } from '#kitchen/board-layout.ts';
import type { Order } from '#ordering/order.ts';
import type { Printing } from '#printing/contract.ts';
import { type OpeningStore, openStateAt } from '#store/opening-hours.ts';

/**
 * The board sounds for an unanswered order, a failed payment, an order to stop cooking, an arrived customer, or a
 * complaint. It also sounds for an unprinted receipt, a failing printer, or a lost connection.
 */
export type AlarmKind = 'new' | 'payment' | 'stop' | 'arrived' | 'complaint' | 'allergy' | 'print' | 'printer' | 'line';

export interface Alarm {
  /**
   * Identifies the alarm's cause together with its order, print, printer or outage. Acknowledgements are stored by this
   * key.
   */
  key: string;
  kind: AlarmKind;
  /** The id of the order whose ticket the board shows; null: the alarm is about something else. */
  orderId: string | null;
  /** When the alarm's cause began (epoch ms). */
  since: number;
  /** The time of the order's automatic rejection (epoch ms); null: no deadline. */
  deadline: number | null;
}

/** The time of each alarm's last acknowledgement (epoch ms), by key. */
export type AcknowledgedAlarms = ReadonlyMap<string, number>;

/** The time for which "Heard it" silences an alarm (ms). */
export const alarmSilenceMs = 2 * 60_000;
/** The time before an order's deadline in which "Heard it" silences nothing (ms). */
const lastMinute = 60_000;
/**
 * The time before the deadline from which an unanswered order is urgent (ms): its alarm grows louder, and the owner is
 * alerted.
 */
export const urgentOrderMs = 3 * 60_000;

/**
 * The alarms of orders at `now` (epoch ms), acknowledged or not. Orders cancelled long before the board was opened
 * (`openedAt`) raise none.
 */
export function orderAlarms(orders: Iterable<Order>, now: number, openedAt = 0): Alarm[] {
  const alarms: Alarm[] = [];
  for (const order of orders) {
    if (isUnanswered(order.status)) {
      const deadline = order.answer_by === null ? null : Date.parse(order.answer_by);
      alarms.push({ ...alarm('new', order, order.placed_at ?? order.created_at), deadline });
    }
    if (hasFailedPayment(order)) alarms.push(alarm('payment', order, order.history.at(-1)?.at ?? order.created_at));
    if (isCustomerHere(order)) alarms.push(alarm('arrived', order, order.arrived_at ?? order.created_at));
    if (mustStopCooking(order, now, openedAt)) alarms.push(alarm('stop', order, order.closed_at ?? order.created_at));
  }
  return alarms;
}

/**
 * The alarms of open complaints at `now` (epoch ms). In a closed shop, only complaints about allergies sound. A
 * complaint may be weeks old, so its alarm begins at the earliest when the board is opened (`openedAt`, epoch ms).
 * Allergies have their own kind of alarm, because their alarm resumes after it was silenced.
 */
export function complaintAlarms(
  complaints: readonly Pick<OrderComplaint, 'id' | 'created_at' | 'is_allergy'>[],
  store: OpeningStore,
  now: number,
  openedAt: number,
): Alarm[] {
  const isOpen = openStateAt(store, new Date(now)).is_open;
  return complaints
    .filter(({ is_allergy: isAllergy }) => isAllergy || isOpen)
    .map(({ id, created_at: at, is_allergy: isAllergy }) => ({
      key: `complaint:${id}`,
      kind: isAllergy ? 'allergy' : 'complaint',
      orderId: null,
      since: Math.max(Date.parse(at), openedAt),
      deadline: null,
    }));
}

/**
 * The alarms about printing: one for each failing printer, and one for each print that staff must read on the board.
 */
export function printingAlarms({ printers, unread }: Pick<Printing, 'printers' | 'unread'>): Alarm[] {
  const broken = printers.flatMap(({ id, status }) =>
    status.since === null ? [] : [{ key: `printer:${id}:${status.since}`, since: status.since, orderId: null }],
  );
  const missing = unread.map(({ id, order_id: orderId, due_at: since }) => ({ key: `print:${id}`, since, orderId }));
  const all = [
    ...broken.map((each) => ({ ...each, kind: 'printer' as const })),
    ...missing.map((each) => ({ ...each, kind: 'print' as const })),
  ];
  return all.map(({ since, ...each }) => ({ ...each, since: Date.parse(since), deadline: null }));
}

/**
 * The alarm of a connection that is lost since `lostSince` (epoch ms; null: not lost). A closed shop without open
 * orders needs no alarm.
 */
export function connectionAlarms(
  lostSince: number | null,
  store: OpeningStore,
  orders: ReadonlyMap<string, Order>,
  now: number,
): Alarm[] {
  if (lostSince === null) return [];
  const isNeeded =
    openStateAt(store, new Date(now)).is_open ||
    [...orders.values()].some(({ status }) => openStatuses.includes(status));
  return isNeeded ? [{ key: `line:${lostSince}`, kind: 'line', orderId: null, since: lostSince, deadline: null }] : [];
}

/** The alarms that sound at `now` (epoch ms). A silenced alarm resumes at a low volume. */
export function soundingAlarms(alarms: readonly Alarm[], heard: AcknowledgedAlarms, now: number): Alarm[] {
  return alarms.flatMap((each) => {
    if (each.kind === 'stop' && each.orderId && heard.has(stopConfirmationKey({ id: each.orderId }))) return [];
    const heardAt = heard.get(each.key);
    if (heardAt === undefined) return [each];
    const until = quietUntil(each, heardAt);
    return now < until ? [] : [{ ...each, since: Math.max(each.since, until) }];
  });
}

export function resumesAfterSilence(alarm: Alarm, now: number): boolean {
  return Number.isFinite(quietUntil(alarm, now));
}

export function canSilenceAlarm(alarm: Alarm, now: number): boolean {
  return now < quietUntil(alarm, now);
}

/**
 * When an alarm that was silenced at `heardAt` resumes (epoch ms); Infinity: never. Alarms about payments, complaints,
 * printers and the connection do not resume, because a repair or an answer may take long. The alarm of an arrived
 * customer does not resume, because staff have seen the customer. All others resume after two minutes, at the latest a
 * minute before their deadline.
 */
function quietUntil({ kind, deadline }: Alarm, heardAt: number): number {
  if (doNotResume.has(kind)) return Infinity;
  return Math.min(heardAt + alarmSilenceMs, deadline === null ? Infinity : deadline - lastMinute);
}

const doNotResume: ReadonlySet<AlarmKind> = new Set(['payment', 'printer', 'line', 'arrived', 'complaint']);

export function alarmKey(kind: AlarmKind, order: Pick<Order, 'id'>): string {
  return `${kind}:${order.id}`;
}

/**
 * The storage key of staff's confirmation that they stopped cooking a cancelled order. Silencing the alarm is not a
 * confirmation.
 */
export function stopConfirmationKey(order: Pick<Order, 'id'>): string {
  return `seen:${order.id}`;
}

/** Whether the card payment of an accepted, unfinished order failed. */
export function hasFailedPayment(order: Pick<Order, 'status' | 'payment_status'>): boolean {
  return order.payment_status === 'failed' && isInHand(order.status);
}

/** Whether the customer has arrived and the order was not handed over. */
export function isCustomerHere({ status, arrived_at: at }: Pick<Order, 'status' | 'arrived_at'>): boolean {
  return Boolean(at) && isInHand(status);
}

const QUIET = 0.3;
const SECONDS_TO_FULL = (urgentOrderMs - lastMinute) / 1000;

/** An alarm's volume (0–1) after it has rung for `seconds`, and the `pause` between its sounds (s). */
export function alarmLoudnessAfter(seconds: number): { gain: number; pause: number } {
  const share = Math.min(1, Math.max(0, seconds) / SECONDS_TO_FULL);
  return { gain: QUIET + (1 - QUIET) * share, pause: 6 - 4 * share };
}

/**
 * The volume of all alarms together, and the `pause` between their sounds (s). The volume grows with the age of the
 * oldest alarm, and is highest in an order's last minute.
 */
export function loudnessOfAlarms(ringing: readonly Alarm[], now: number): { gain: number; pause: number } {
  const since = ringing.map((each) =>
    Math.min(each.since, each.deadline === null ? Infinity : each.deadline - urgentOrderMs),
  );
  return alarmLoudnessAfter((now - Math.min(...since)) / 1000);
}

export function mostUrgentAlarm(ringing: readonly Alarm[]): Alarm | undefined {
  return ringing.toSorted((a, b) => (a.deadline ?? Infinity) - (b.deadline ?? Infinity))[0];
}

function alarm(kind: AlarmKind, order: Order, since: string): Alarm {
  return { key: alarmKey(kind, order), kind, orderId: order.id, since: Date.parse(since), deadline: null };
}
