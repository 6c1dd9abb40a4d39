import { isInHand } from '#ordering/order-status.ts';
import { mustStop } from '#kitchen/board-columns.ts';
import type { Order } from '#ordering/order.ts';

/** Why the board sounds: an order nobody has answered, a payment that failed, or one to stop cooking. */
export type AlarmKind = 'new' | 'payment' | 'stop';

export interface Alarm {
  /** The same for one reason on one order; acknowledging remembers it. */
  key: string;
  kind: AlarmKind;
  orderId: string;
  /** Since when somebody is wanted, as epoch milliseconds. */
  since: number;
  /** When the order is rejected by itself, as epoch milliseconds; null where nothing of the kind happens. */
  deadline: number | null;
}

/** When each alarm was last acknowledged (epoch ms), by its key. */
export type Heard = ReadonlyMap<string, number>;

/** "Heard it" keeps an alarm quiet for so long (milliseconds) … */
export const quietFor = 2 * 60_000;
/** … and not at all while no more than this is left until the deadline. */
const lastMinute = 60_000;
/** An unanswered order presses from so long before its deadline: it grows louder, and its owner is told by now. */
export const pressesFor = 3 * 60_000;

/** Every reason to sound at `now` (epoch ms), acknowledged or not. */
export function alarmsOf(orders: Iterable<Order>, now: number): Alarm[] {
  const alarms: Alarm[] = [];
  for (const order of orders) {
    if (order.status === 'placed') {
      const deadline = order.answer_by === null ? null : Date.parse(order.answer_by);
      alarms.push({ ...alarm('new', order, order.placed_at ?? order.created_at), deadline });
    }
    if (paymentFailed(order)) alarms.push(alarm('payment', order, order.history.at(-1)?.at ?? order.created_at));
    if (mustStop(order, now)) alarms.push(alarm('stop', order, order.closed_at ?? order.created_at));
  }
  return alarms;
}

/** Those that sound at `now` (epoch ms). One that was heard and comes back begins anew, as quietly as the first time. */
export function ringingOf(alarms: readonly Alarm[], heard: Heard, now: number): Alarm[] {
  return alarms.flatMap((each) => {
    if (each.kind === 'stop' && heard.has(seenKey({ id: each.orderId }))) return [];
    const heardAt = heard.get(each.key);
    if (heardAt === undefined) return [each];
    const until = quietUntil(each, heardAt);
    return now < until ? [] : [{ ...each, since: Math.max(each.since, until) }];
  });
}

/** Whether "Heard it" would still quiet it. */
export function canQuiet(alarm: Alarm, now: number): boolean {
  return now < quietUntil(alarm, now);
}

/** What has an answer on its ticket comes back until somebody gives it; a failed payment stands there and can only wait. */
function quietUntil({ kind, deadline }: Alarm, heardAt: number): number {
  if (kind === 'payment') return Infinity;
  return Math.min(heardAt + quietFor, deadline === null ? Infinity : deadline - lastMinute);
}

export function alarmKey(kind: AlarmKind, order: Pick<Order, 'id'>): string {
  return `${kind}:${order.id}`;
}

/** Remembers that somebody confirmed a cancelled order was stopped; silencing the alarm alone does not. */
export function seenKey(order: Pick<Order, 'id'>): string {
  return `seen:${order.id}`;
}

/** The card was not charged though the order is being made. */
export function paymentFailed(order: Pick<Order, 'status' | 'payment_status'>): boolean {
  return order.payment_status === 'failed' && isInHand(order.status);
}

const QUIET = 0.3;
const SECONDS_TO_FULL = (pressesFor - lastMinute) / 1000;

/** The longer somebody is waited for, the louder (0–1) and the more often (`pause` in seconds between two chimes). */
export function loudnessAfter(seconds: number): { gain: number; pause: number } {
  const share = Math.min(1, Math.max(0, seconds) / SECONDS_TO_FULL);
  return { gain: QUIET + (1 - QUIET) * share, pause: 6 - 4 * share };
}

/** How loud all of these are together: as the most pressing of them, which is at its loudest in its last minute. */
export function loudnessOf(ringing: readonly Alarm[], now: number): { gain: number; pause: number } {
  const since = ringing.map((each) =>
    Math.min(each.since, each.deadline === null ? Infinity : each.deadline - pressesFor),
  );
  return loudnessAfter((now - Math.min(...since)) / 1000);
}

/** The one whose time runs out first; without any such time, the first. */
export function mostPressing(ringing: readonly Alarm[]): Alarm | undefined {
  return ringing.toSorted((a, b) => (a.deadline ?? Infinity) - (b.deadline ?? Infinity))[0];
}

function alarm(kind: AlarmKind, order: Order, since: string): Alarm {
  return { key: alarmKey(kind, order), kind, orderId: order.id, since: Date.parse(since), deadline: null };
}
