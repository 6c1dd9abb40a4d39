import { m } from '#messages';
import { type AskedTime, useSlots } from '#ordering/web/use-slots.ts';
import { dayWords, localDate, timeWords } from '#platform/date-words.ts';
import { useNow } from '#platform/web/clock.ts';
import { DAY, dayOfDate, instantAt } from '#platform/zone-clock.ts';
import type { Slot, Store } from '#store/contract.ts';
import { pauseEnd } from '#store/opening-hours.ts';

/** A day, and the times that can be had on it. */
export function CheckoutSlots(asked: AskedTime) {
  const { store, value, onChange } = asked;
  const now = useNow();
  const { days, day, pickDay, slots, free, lost, forgetLost, nextDay, isPicked, answer } = useSlots(asked, now);
  return (
    <div className="grid gap-3 pl-8 sm:grid-cols-2">
      <label className="grid gap-1">
        <span className="text-sm font-semibold">{m.ordering_when_day()}</span>
        <select
          className="control"
          value={day}
          onChange={(event) => {
            pickDay(event.target.value);
            forgetLost();
            onChange(null);
          }}
        >
          {days.map((each) => (
            <option key={each} value={each}>
              {capitalise(dayWords(noonOf(each, store), now, store.timezone))}
            </option>
          ))}
        </select>
      </label>
      <label className="grid gap-1">
        <span className="text-sm font-semibold">{m.ordering_when_time()}</span>
        <select
          className="control num"
          value={value ?? ''}
          onChange={(event) => {
            forgetLost();
            onChange(event.target.value || null);
          }}
          disabled={!slots}
        >
          {!value && (
            <option value="">
              {answer.isPending
                ? m.platform_loading()
                : free?.length
                  ? m.ordering_when_later()
                  : m.ordering_when_none()}
            </option>
          )}
          {value && !slots && <option value={value}>{timeWords(value, store.timezone)}</option>}
          {slots?.map((slot) => (
            <option key={slot.starts_at} value={slot.starts_at} disabled={!slot.is_available}>
              {slotWords(slot, store, now)}
            </option>
          ))}
        </select>
      </label>
      <p role="status" className="num text-sm font-semibold text-warn-text empty:hidden sm:col-span-2">
        {lost && lostWords(lost, value, store, now)}
      </p>
      {free?.length === 0 && isPicked && nextDay && (
        <p className="text-sm sm:col-span-2">
          {m.ordering_when_none()}.{' '}
          <button type="button" className="link min-h-11" onClick={() => pickDay(nextDay)}>
            {m.ordering_when_next_day()}
          </button>
        </p>
      )}
      {answer.isError && (
        <p className="text-sm font-semibold text-bad-text sm:col-span-2">
          {m.ordering_when_failed()}{' '}
          <button type="button" className="link" onClick={() => void answer.refetch()}>
            {m.platform_retry()}
          </button>
        </p>
      )}
    </div>
  );
}

/** An unavailable time shows the reason: the shop is on a break until then, or the time is full. */
function slotWords(slot: Slot, store: Store, now: Date): string {
  const { timezone: timeZone } = store;
  const time = `${timeWords(slot.starts_at, timeZone)}–${timeWords(slot.ends_at, timeZone)}`;
  if (slot.is_available) return time;
  const resumes = pauseEnd(store, now.getTime());
  if (Date.parse(slot.starts_at) >= resumes) return m.ordering_when_full({ time });
  return m.ordering_when_paused({ time, until: timeWords(new Date(resumes).toISOString(), timeZone) });
}

/** The message that a chosen time is no longer available, and which one replaces it, with its day if that differs. */
function lostWords(lost: string, chosen: string | null, store: Store, now: Date): string {
  const { timezone: timeZone } = store;
  const time = timeWords(lost, timeZone);
  if (chosen === null) return m.ordering_when_gone({ time });
  const isSameDay = localDate(lost, timeZone) === localDate(chosen, timeZone);
  const next = timeWords(chosen, timeZone);
  return m.ordering_when_gone_next({ time, next: isSameDay ? next : `${dayWords(chosen, now, timeZone)} ${next}` });
}

function noonOf(day: string, { timezone }: Store): Date {
  return new Date(instantAt(timezone, (dayOfDate(day) + 0.5) * DAY));
}

function capitalise(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
