import { m } from '#messages';
import { nearDayWords, timeWords } from '#platform/date-words.ts';
import { isPausedForToday, type OpenState, type TradingStore } from '#store/opening-hours.ts';

/** `Open until 23:00`, `Opens today at 17:00`, `Short break, back at 18:30`, `Closed for today, opens tomorrow at 12:00` … */
export function openingWords(state: OpenState, now: Date, store: TradingStore): string {
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

/** The owner's text as a sentence, with or without a final full stop. */
export function detailWords(detail: string): string {
  const words = detail.trim();
  return /[.!?…]$/.test(words) ? words : `${words}.`;
}

/** `Open`, `Closed` or `Paused`: never shown by colour alone. */
export function openingLabel(state: OpenState): string {
  if (state.is_open) return m.store_sign_open();
  return state.reason === 'paused' ? m.store_sign_paused() : m.store_sign_closed();
}
