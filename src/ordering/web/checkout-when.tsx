import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { m } from '#messages';
import { CheckoutSection } from '#ordering/web/checkout-section.tsx';
import { dayWords, timeWords } from '#platform/date-words.ts';
import { api } from '#platform/web/api.ts';
import { useNow } from '#platform/web/clock.ts';
import { FieldErrorText, fieldId } from '#ui/web/field.tsx';
import type { FulfilmentType, Slot, Store } from '#store/contract.ts';
import type { Earliest } from '#store/earliest-ready.ts';
import { pauseEnd, tradingDayBounds, tradingDayOf } from '#store/opening-hours.ts';
import { readyWords } from '#store/ready-words.ts';

interface CheckoutWhenProps {
  store: Store;
  fulfilment: FulfilmentType;
  /** The soonest it can be had. */
  earliest: Earliest | null;
  /** Of a zone that delivers there; empty for collection, and until it is known. */
  postcode: string;
  /** Of the basket's slowest dish. */
  prepMinutes: number;
  /** null: as soon as possible. */
  value: string | null;
  onChange: (value: string | null) => void;
  errors: readonly string[] | undefined;
  /** It was wanted as soon as possible, and cannot be had so any more, in words: nothing is chosen until somebody does. */
  askedBecause: string | null;
}

/** Now, or a slot that is still free. */
export function CheckoutWhen({ errors, ...asked }: CheckoutWhenProps) {
  const { store, fulfilment, earliest, value, onChange, askedBecause } = asked;
  const now = useNow();
  const canBeSoon = earliest?.isSoon === true;
  const [isLater, setLater] = useState(value !== null);
  const showSlots = isLater || value !== null || !canBeSoon;
  const errorId = `${fieldId('requested_for')}-error`;
  return (
    <CheckoutSection title={fulfilment === 'delivery' ? m.ordering_when_delivery() : m.ordering_when_collection()}>
      <div
        id={fieldId('requested_for')}
        tabIndex={-1}
        className="grid gap-2 outline-none"
        role="group"
        aria-describedby={errorId}
      >
        {canBeSoon && (
          <Choice
            name="when"
            isChosen={!showSlots}
            onChoose={() => {
              setLater(false);
              onChange(null);
            }}
          >
            <span className="font-semibold">{m.ordering_when_soon()}</span>
            <span className="num text-ink-soft">{readyWords(earliest, now, store.timezone)}</span>
          </Choice>
        )}
        <Choice name="when" isChosen={showSlots} onChoose={() => setLater(true)}>
          <span className="font-semibold">{m.ordering_when_later()}</span>
        </Choice>
        <p role="status" className="num rounded-box bg-warn-soft px-4 py-3 font-semibold empty:hidden">
          {askedBecause !== null && m.ordering_when_soon_gone({ refusal: askedBecause })}
        </p>
        {showSlots && <Slots {...asked} />}
        <FieldErrorText id={errorId} errors={errors} />
      </div>
    </CheckoutSection>
  );
}

type SlotsProps = Omit<CheckoutWhenProps, 'errors'>;

function Slots({ store, fulfilment, earliest, postcode, prepMinutes, value, onChange, askedBecause }: SlotsProps) {
  const now = useNow();
  const isAsked = askedBecause !== null;
  // Days on which nothing can be had any more are not offered.
  const days = tradingDays(store, now, earliest);
  const [picked, setPicked] = useState(value ? tradingDayOf(store, new Date(value)) : '');
  const isPicked = days.includes(picked);
  // Until somebody picks a day it is the first that has a time left: how full the slots are only the server knows.
  const [passed, setPassed] = useState('');
  const day = isPicked ? picked : (days.find((each) => each > passed) ?? days.at(-1) ?? '');
  const [lost, setLost] = useState<string | null>(null);
  const answer = useQuery({
    queryKey: ['slots', store.id, fulfilment, day, postcode, prepMinutes],
    queryFn: async () =>
      (
        await api(
          'GET /v1/stores/{id}/slots',
          {
            id: store.id,
            fulfilment_type: fulfilment,
            date: day,
            prep_minutes: prepMinutes,
            ...(postcode && { postcode }),
          },
          { timeout: 15_000 },
        )
      ).data,
    staleTime: 60_000,
    refetchInterval: 60_000,
  });
  // The answer may be a minute old, and a time of it too soon by now.
  const slots = answer.data?.filter((slot) => !slot.is_available || !isBefore(slot, earliest));
  const free = slots?.filter((slot) => slot.is_available);
  const isFree = free?.some((slot) => slot.starts_at === value) ?? true;
  const next = (free?.find((slot) => value !== null && slot.starts_at > value) ?? free?.[0])?.starts_at ?? null;
  const nextDay = days[days.indexOf(day) + 1];

  // What is chosen must be there: otherwise the next free time, or none, is, and that is said.
  useEffect(() => {
    if (value === null ? !isAsked : !isFree) onChange(next);
  }, [isFree, value, next, onChange, isAsked]);
  if (!isFree && value !== null && lost !== value) setLost(value);
  const isEmpty = free?.length === 0;
  if (isEmpty && !isPicked && nextDay) setPassed(day);

  return (
    <div className="grid gap-3 pl-8 sm:grid-cols-2">
      <label className="grid gap-1">
        <span className="text-sm font-semibold">{m.ordering_when_day()}</span>
        <select
          className="control"
          value={day}
          onChange={(event) => {
            setPicked(event.target.value);
            setLost(null);
            onChange(null);
          }}
        >
          {days.map((each) => (
            <option key={each} value={each}>
              {capitalise(
                dayWords(new Date(Date.parse(tradingDayBounds(store, each).from) + 6 * 3_600_000), now, store.timezone),
              )}
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
            setLost(null);
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
      {isEmpty && isPicked && nextDay && (
        <p className="text-sm sm:col-span-2">
          {m.ordering_when_none()}.{' '}
          <button type="button" className="link min-h-11" onClick={() => setPicked(nextDay)}>
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

interface ChoiceProps {
  name: string;
  isChosen: boolean;
  onChoose: () => void;
  children: React.ReactNode;
}

export function Choice({ name, isChosen, onChoose, children }: ChoiceProps) {
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

/** A time that cannot be had says why: the shop is on a break until then, or the time is full. */
function slotWords(slot: Slot, store: Store, now: Date): string {
  const { timezone: timeZone } = store;
  const time = `${timeWords(slot.starts_at, timeZone)}–${timeWords(slot.ends_at, timeZone)}`;
  if (slot.is_available) return time;
  const resumes = pauseEnd(store, now.getTime());
  if (Date.parse(slot.starts_at) >= resumes) return m.ordering_when_full({ time });
  return m.ordering_when_paused({ time, until: timeWords(new Date(resumes).toISOString(), timeZone) });
}

function isBefore(slot: Slot, earliest: Earliest | null): boolean {
  return earliest !== null && Date.parse(slot.starts_at) < Date.parse(earliest.at);
}

/** That a chosen time cannot be had any more, and which is chosen in its place; its day too, where that is another. */
function lostWords(lost: string, chosen: string | null, store: Store, now: Date): string {
  const { timezone: timeZone } = store;
  const time = timeWords(lost, timeZone);
  if (chosen === null) return m.ordering_when_gone({ time });
  const isSameDay = tradingDayOf(store, new Date(lost)) === tradingDayOf(store, new Date(chosen));
  const next = timeWords(chosen, timeZone);
  return m.ordering_when_gone_next({ time, next: isSameDay ? next : `${dayWords(chosen, now, timeZone)} ${next}` });
}

/** From the day of the soonest order, or today, as far ahead as the shop takes orders. */
function tradingDays(store: Store, now: Date, earliest: Earliest | null): string[] {
  const today = Date.parse(tradingDayOf(store, now));
  const first = earliest ? tradingDayOf(store, new Date(earliest.at)) : '';
  return Array.from({ length: store.preorder_days + 1 }, (_, ahead) =>
    new Date(today + ahead * 86_400_000).toISOString().slice(0, 10),
  ).filter((day) => day >= first);
}

function capitalise(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
