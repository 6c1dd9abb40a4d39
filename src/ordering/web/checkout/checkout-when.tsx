import { useEffect, useState } from 'react';
import { m } from '#messages';
import { FoldableCheckoutPart, type CheckoutParts } from '#ordering/web/checkout/checkout-parts.tsx';
import { useNow } from '#platform/web/clock.ts';
import { specialDayWords } from '#store/hours-words.ts';
import { checkRequestedTime } from '#store/slots.ts';
import { FieldErrorText, fieldId } from '#ui/web/field.tsx';
import { closureDetailWords } from '#store/web/opening-status.ts';
import { earliestTimeWords } from '#store/web/fulfilment.ts';
import { dayWords, localDateAt, nearDayWords, timeWords } from '#platform/date-words.ts';
import { dateOfDayNumber, DAY, dayNumberOf, instantAt } from '#platform/zone-clock.ts';
import type { FulfilmentType, Slot, Store } from '#store/contract.ts';
import { hoursOfDay, pauseEndAt, sessionsBetween, tradingDayBounds, tradingDayOf } from '#store/opening-hours.ts';
import { useQuery } from '@tanstack/react-query';
import { api } from '#platform/web/api.ts';
import { type EarliestSlot, preorderEnd, type SlotStore } from '#store/slot-rules.ts';

interface CheckoutWhenProps extends AskedTime {
  parts: CheckoutParts;
  errors: readonly string[] | undefined;
}

export function CheckoutTime({ parts, errors, ...asked }: CheckoutWhenProps) {
  const { store, fulfilment, earliest, value, onChange, askedBecause } = asked;
  const now = useNow();
  const canBeSoon = earliest?.isSoon === true;
  const [isLater, setLater] = useState(value !== null);
  // `askedBecause` is a text that is shown below. It explains a pause already, so no second text is needed.
  const pauseWords = askedBecause === null ? fulfilmentPauseWords(store, fulfilment, now) : null;
  const showSlots = isLater || value !== null || !canBeSoon;
  const errorId = `${fieldId('requested_for')}-error`;
  return (
    <FoldableCheckoutPart
      name="when"
      parts={parts}
      title={fulfilment === 'delivery' ? m.ordering_when_delivery() : m.ordering_when_collection()}
      summary={chosenTimeWords({ ...asked, isAsked: askedBecause !== null }, now)}
    >
      <div
        id={fieldId('requested_for')}
        tabIndex={-1}
        className="grid gap-2 outline-none"
        role="group"
        aria-describedby={errorId}
      >
        {pauseWords !== null && (
          <p role="status" className="num rounded-box bg-warn-soft px-4 py-3 font-semibold">
            {pauseWords}
          </p>
        )}
        {canBeSoon && (
          <RadioChoice
            name="when"
            isChosen={!showSlots}
            onChoose={() => {
              setLater(false);
              onChange(null);
            }}
          >
            <span className="font-semibold">{m.ordering_when_soon()}</span>
            <span className="num text-ink-soft">{earliestTimeWords(earliest, now, store.timezone)}</span>
          </RadioChoice>
        )}
        <RadioChoice name="when" isChosen={showSlots} onChoose={() => setLater(true)}>
          <span className="font-semibold">{m.ordering_when_later()}</span>
        </RadioChoice>
        <p role="status" className="num rounded-box bg-warn-soft px-4 py-3 font-semibold empty:hidden">
          {askedBecause !== null && m.ordering_when_soon_gone({ refusal: askedBecause })}
        </p>
        {showSlots && <CheckoutSlots {...asked} errors={errors} onLost={() => parts.show('when')} />}
        <FieldErrorText id={errorId} errors={errors} />
      </div>
    </FoldableCheckoutPart>
  );
}

export function chosenTimeWords(
  { store, earliest, value, isAsked }: Pick<AskedTime, 'store' | 'earliest' | 'value'> & { isAsked: boolean },
  now: Date,
): string | null {
  if (value !== null) return capitalise(requestedTimeWords(value, store, now));
  if (!earliest?.isSoon || isAsked) return null;
  return capitalise(earliestTimeWords(earliest, now, store.timezone));
}

/** Formats a requested time: `23:00`, `tomorrow 12:00` or `Friday 12:00`. */
export function requestedTimeWords(instant: string, { timezone }: Pick<Store, 'timezone'>, now: Date): string {
  const time = timeWords(instant, timezone);
  if (localDateAt(instant, timezone) === localDateAt(now, timezone)) return time;
  return `${nearDayWords(instant, now, timezone)} ${time}`;
}

/** Returns a sentence that only this fulfilment is paused, with the end and the reason of the pause; otherwise null. */
export function fulfilmentPauseWords(store: Store, fulfilment: FulfilmentType, now: Date): string | null {
  const at = now.getTime();
  if (pauseEndAt(store, at, fulfilment) <= pauseEndAt(store, at)) return null;
  const problem = checkRequestedTime(store, fulfilment, null, now);
  if (problem?.code !== 'shop_paused') return null;
  const reason = (store.pauses ?? []).find((pause) => pause.fulfilment_type === fulfilment)?.reason;
  return reason ? `${problem.message} ${closureDetailWords(reason)}` : problem.message;
}

interface ChoiceProps {
  name: string;
  isChosen: boolean;
  onChoose: () => void;
  children: React.ReactNode;
}

export function RadioChoice({ name, isChosen, onChoose, children }: ChoiceProps) {
  return (
    <label className="flex min-h-13 items-center gap-3 rounded-box border border-line px-4 py-2.5 has-checked:border-accent-text has-checked:bg-accent-soft">
      <input
        type="radio"
        name={name}
        checked={isChosen}
        onChange={onChoose}
        className="size-5 shrink-0 accent-accent-edge"
      />
      <span className="flex flex-1 flex-wrap items-baseline justify-between gap-x-3">{children}</span>
    </label>
  );
}

interface CheckoutSlotsProps extends AskedTime {
  /** The errors of the chosen time. */
  errors: readonly string[] | undefined;
  onLost: () => void;
}

function CheckoutSlots({ errors, onLost, ...asked }: CheckoutSlotsProps) {
  const { store, value, onChange } = asked;
  const now = useNow();
  const { days, day, pickDay, slots, free, lost, forgetLost, nextDay, isPicked, answer } = useSlots(asked, onLost, now);
  const { refetch } = answer;
  useEffect(() => {
    // A refused time may have become full after the times were fetched.
    if (errors) void refetch();
  }, [errors, refetch]);
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
              {slotWords(slot, store, asked.fulfilment, now)}
            </option>
          ))}
        </select>
      </label>
      <SpecialHours store={store} day={day} />
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

function SpecialHours({ store, day }: { store: Store; day: string }) {
  const { special } = hoursOfDay(store, dayNumberOf(day));
  return special && <p className="num text-sm sm:col-span-2">{specialDayWords(special, day)}</p>;
}

/**
 * The text of a slot. An unavailable slot is followed by the reason: the shop is paused until a later time, or the slot
 * is full.
 */
function slotWords(slot: Slot, store: Store, fulfilment: FulfilmentType, now: Date): string {
  const { timezone: timeZone } = store;
  const time = `${timeWords(slot.starts_at, timeZone)}–${timeWords(slot.ends_at, timeZone)}`;
  if (slot.is_available) return time;
  const resumes = pauseEndAt(store, now.getTime(), fulfilment);
  if (Date.parse(slot.starts_at) >= resumes) return m.ordering_when_full({ time });
  return m.ordering_when_paused({ time, until: timeWords(new Date(resumes).toISOString(), timeZone) });
}

/**
 * A sentence that says that a chosen time is no longer available. If another time replaces it, the sentence names that
 * time, and its day if that differs.
 */
function lostWords(lost: string, chosen: string | null, store: Store, now: Date): string {
  const { timezone: timeZone } = store;
  const time = timeWords(lost, timeZone);
  if (chosen === null) return m.ordering_when_gone({ time });
  const isSameDay = localDateAt(lost, timeZone) === localDateAt(chosen, timeZone);
  const next = timeWords(chosen, timeZone);
  return m.ordering_when_gone_next({ time, next: isSameDay ? next : `${dayWords(chosen, now, timeZone)} ${next}` });
}

function noonOf(day: string, { timezone }: Store): Date {
  return new Date(instantAt(timezone, (dayNumberOf(day) + 0.5) * DAY));
}

function capitalise(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

interface AskedTime {
  store: Store;
  fulfilment: FulfilmentType;
  /** The earliest time for which an order is possible; null if there is none. */
  earliest: EarliestSlot | null;
  /** The delivery postcode once a zone delivers to it; empty before that, and for collection. */
  postcode: string;
  prepMinutes: number;
  /** null: as soon as possible. */
  value: string | null;
  onChange: (value: string | null) => void;
  /**
   * Called with true if the chosen day has no free time, otherwise with false. Only the server knows the free times.
   */
  onNone: (isNone: boolean) => void;
  /**
   * Why "as soon as possible", which the customer had chosen, is no longer offered; null otherwise. While there is a
   * reason, no time is preselected.
   */
  askedBecause: string | null;
}

/** The available days and slots. Replaces a chosen time that is no longer available, and reports the lost time. */
function useSlots(
  { store, fulfilment, earliest, postcode, prepMinutes, value, onChange, onNone, askedBecause }: AskedTime,
  onLost: () => void,
  now: Date,
) {
  const needsAnswer = askedBecause !== null;
  const days = slotDays(store, now, earliest);
  const [picked, setPicked] = useState(value ? localDateAt(value, store.timezone) : '');
  const isPicked = days.includes(picked);
  // Until a day is chosen, the first day with a free time is shown. Only the server knows the free times.
  const [passed, setPassed] = useState('');
  const day = isPicked ? picked : (days.find((each) => each > passed) ?? days.at(-1) ?? '');
  const [lost, setLost] = useState<string | null>(null);
  const tradingDays = day === '' ? [] : tradingDaysWithSlotsOn(store, day, now);
  const answer = useQuery({
    queryKey: ['slots', store.id, fulfilment, day, tradingDays, postcode, prepMinutes],
    queryFn: async () => {
      const found = await fetchSlots({ store, fulfilment, postcode, prepMinutes }, tradingDays);
      return found.filter((slot) => localDateAt(slot.starts_at, store.timezone) === day);
    },
    staleTime: 60_000,
    refetchInterval: 60_000,
  });
  const { slots, free, isFree, next } = judgeSlots(answer.data, earliest, value);
  const nextDay = days[days.indexOf(day) + 1];

  // If the chosen time is no longer available, the next free time replaces it, if there is one, and a message says so.
  useEffect(() => {
    // `onChange` is called only for another value, because each call removes the field's error.
    if ((value === null ? !needsAnswer : !isFree) && next !== value) onChange(next);
    if (value !== null && !isFree) onLost();
  }, [onLost, isFree, value, next, onChange, needsAnswer]);
  if (!isFree && value !== null && lost !== value) setLost(value);
  const isEmpty = free?.length === 0;
  useEffect(() => {
    onNone(isEmpty);
    return () => onNone(false);
  }, [isEmpty, onNone]);
  if (isEmpty && !isPicked && nextDay) setPassed(day);

  return {
    days,
    day,
    pickDay: setPicked,
    slots,
    free,
    lost,
    forgetLost: () => setLost(null),
    nextDay,
    isPicked,
    answer,
  };
}

/**
 * Returns the slots, the free slots (`free`), and the free time that could replace the chosen time (`next`). `isFree`:
 * the chosen time is free, or the free times are not known yet.
 */
function judgeSlots(answered: readonly Slot[] | undefined, earliest: EarliestSlot | null, value: string | null) {
  // The response may be a minute old, so its first slots may be too soon by now.
  const slots = answered?.filter((slot) => !slot.is_available || !isBefore(slot, earliest));
  const free = slots?.filter((slot) => slot.is_available);
  const next = free?.find((slot) => value !== null && slot.starts_at > value) ?? free?.[0];
  return {
    slots,
    free,
    isFree: free?.some((slot) => slot.starts_at === value) ?? true,
    next: next?.starts_at ?? null,
  };
}

function isBefore(slot: Slot, earliest: EarliestSlot | null): boolean {
  return earliest !== null && Date.parse(slot.starts_at) < Date.parse(earliest.at);
}

async function fetchSlots(
  { store, fulfilment, postcode, prepMinutes }: Pick<AskedTime, 'store' | 'fulfilment' | 'postcode' | 'prepMinutes'>,
  days: readonly string[],
): Promise<Slot[]> {
  const wanted = {
    id: store.id,
    fulfilment_type: fulfilment,
    prep_minutes: prepMinutes,
    ...(postcode && { postcode }),
  };
  const answers = await Promise.all(
    days.map((date) => api('GET /v1/stores/{id}/slots', { ...wanted, date }, { timeout: 15_000 })),
  );
  return answers.flatMap(({ data }) => data);
}

/**
 * The calendar days (YYYY-MM-DD) for which an order can be requested, from the day of the earliest time. A trading day
 * may end after midnight, but 00:15 tonight is shown as tomorrow.
 */
export function slotDays(store: SlotStore, now: Date, earliest: EarliestSlot | null): string[] {
  const end = preorderEnd(store, now);
  const first = dayNumberOf(localDateAt(earliest?.at ?? now, store.timezone));
  const last = dayNumberOf(localDateAt(new Date(end - 1), store.timezone));
  const days = Array.from({ length: last - first + 1 }, (_, ahead) => dateOfDayNumber(first + ahead));
  // The last trading day may end after midnight, in the morning of the next calendar day. That calendar day is offered
  // only if the shop is open on that morning.
  return days.filter((day) => tradingDaysWithSlotsOn(store, day, now).length > 0);
}

/**
 * Returns the trading days that may have slots on a calendar day: the day itself, and the day before if it is open
 * after midnight.
 */
export function tradingDaysWithSlotsOn(store: SlotStore, day: string, now: Date): string[] {
  const start = startOfDay(store, day);
  const end = startOfDay(store, dateOfDayNumber(dayNumberOf(day) + 1));
  const own = tradingDayOf(store, new Date(end - 1));
  const before = tradingDayOf(store, new Date(start));
  const today = tradingDayOf(store, now);
  const latest = tradingDayOf(store, new Date(preorderEnd(store, now) - 1));
  const morning = Date.parse(tradingDayBounds(store, before).to);
  const isOpenAfterMidnight = sessionsBetween(store, new Date(start), new Date(morning)).length > 0;
  const days = before === own ? [own] : isOpenAfterMidnight ? [before, own] : [own];
  return days.filter((each) => each >= today && each <= latest);
}

function startOfDay({ timezone }: SlotStore, day: string): number {
  return instantAt(timezone, dayNumberOf(day) * DAY);
}
