import { m } from '#messages';
import { localDate, nearDayWords, timeWords } from '#platform/date-words.ts';
import type { Store } from '#store/contract.ts';
import { type OpenState, openStateAt } from '#store/opening-hours.ts';
import { openingWords } from '#store/open-sign-words.ts';
import { lastOrdersAt } from '#store/slot-rules.ts';
import { soonestOfAll } from '#store/web/fulfilment.ts';

export interface Sign {
  state: OpenState;
  /** Whether an order is made immediately. After its last orders an open shop takes none for now. */
  isTaking: boolean;
  words: string;
}

/** The shop's sign as a customer sees it at `now`. */
export function signOf(store: Store, now: Date): Sign {
  const state = openStateAt(store, now);
  const { timezone: zone } = store;
  const last = state.closes_at === null ? Infinity : lastOrdersAt(store, Date.parse(state.closes_at));
  const time = Number.isFinite(last) ? timeWords(new Date(last), zone) : '';
  if (now.getTime() <= last) {
    // A customer who comes between last orders and closing gets nothing, so only the former is told.
    const isBefore = state.is_open && last < Date.parse(state.closes_at ?? '');
    const words = isBefore ? m.store_sign_order_until({ time }) : openingWords(state, now, store);
    return { state, isTaking: state.is_open, words };
  }
  const next = soonestOfAll(store, now)?.at;
  if (!next) return { state, isTaking: false, words: m.store_sign_last_orders({ time }) };
  const isToday = localDate(next, zone) === localDate(now, zone);
  const when = isToday ? timeWords(next, zone) : nearDayWords(next, now, zone);
  return { state, isTaking: false, words: m.store_sign_last_orders_next({ time, when }) };
}
