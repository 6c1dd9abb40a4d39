import { m } from '#messages';
import { localDateAt, nearDayWords, timeWords } from '#platform/date-words.ts';
import type { Store } from '#store/contract.ts';
import {
  isPausedForToday,
  type OpenState,
  openStateAt,
  pauseEndAt,
  type TradingDaySettings,
} from '#store/opening-hours.ts';
import { lastOrdersAt } from '#store/slot-rules.ts';
import { earliestOfAnyFulfilment, offeredFulfilments } from '#store/web/fulfilment.ts';

export interface OpenSignStatus {
  state: OpenState;
  /**
   * Whether unscheduled orders are taken. The shop takes none after last orders, which may be before the closing time.
   */
  isTaking: boolean;
  words: string;
}

export function openSignStatusAt(store: Store, now: Date): OpenSignStatus {
  const state = stateOfWays(store, now, openStateAt(store, now));
  const { timezone: zone } = store;
  const last = state.closes_at === null ? Infinity : lastOrdersAt(store, Date.parse(state.closes_at));
  const time = Number.isFinite(last) ? timeWords(new Date(last), zone) : '';
  if (now.getTime() <= last) {
    // If the shop closes after last orders, the sign shows the time of last orders, because nothing is sold in between.
    const isBefore = state.is_open && last < Date.parse(state.closes_at ?? '');
    const words = isBefore ? m.store_sign_order_until({ time }) : openStateWords(state, now, store);
    return { state, isTaking: state.is_open, words };
  }
  const next = earliestOfAnyFulfilment(store, now)?.at;
  if (!next) return { state, isTaking: false, words: m.store_sign_last_orders({ time }) };
  const isToday = localDateAt(next, zone) === localDateAt(now, zone);
  const when = isToday ? timeWords(next, zone) : nearDayWords(next, now, zone);
  return { state, isTaking: false, words: m.store_sign_last_orders_next({ time, when }) };
}

/** Returns the shop's opening state. If every offered fulfilment type is paused, the shop counts as paused. */
function stateOfWays(store: Store, now: Date, state: OpenState): OpenState {
  const end = Math.min(...offeredFulfilments(store).map((way) => pauseEndAt(store, now.getTime(), way)));
  if (!state.is_open || end <= now.getTime() || end === Infinity) return state;
  return { ...state, is_open: false, reason: 'paused', closes_at: null, opens_at: new Date(end).toISOString() };
}

/** `Open until 23:00`, `Opens today at 17:00`, `Short break, back at 18:30`, `Closed for today, opens …`. */
export function openStateWords(state: OpenState, now: Date, store: TradingDaySettings): string {
  const { timezone: timeZone } = store;
  if (state.is_open)
    return state.closes_at
      ? m.store_sign_open_until({ time: timeWords(state.closes_at, timeZone) })
      : m.store_sign_open();
  if (state.reason === 'not_accepting' || !state.opens_at) return m.store_sign_not_accepting();
  const time = timeWords(state.opens_at, timeZone);
  const day = nearDayWords(state.opens_at, now, timeZone);
  if (state.reason === 'paused') {
    const isForToday = isPausedForToday(store, now, new Date(state.opens_at));
    return isForToday ? m.store_sign_closed_for_today({ day, time }) : m.store_sign_paused_until({ time });
  }
  return m.store_sign_opens_at({ day, time });
}

/** The owner's text as a sentence: a full stop is added if it has no final punctuation. */
export function closureDetailWords(detail: string): string {
  const words = detail.trim();
  return /[.!?…]$/.test(words) ? words : `${words}.`;
}

/** Writes the opening state in one word, `Open`, `Closed` or `Paused`, because not everyone sees the sign's colours. */
export function openingLabel(state: OpenState): string {
  if (state.is_open) return m.store_sign_open();
  return state.reason === 'paused' ? m.store_sign_paused() : m.store_sign_closed();
}
