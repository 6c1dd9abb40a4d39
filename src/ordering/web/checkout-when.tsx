import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { m } from '#messages';
import { CheckoutSection } from '#ordering/web/checkout-section.tsx';
import { dayWords, timeWords } from '#platform/date-words.ts';
import { api } from '#platform/web/api.ts';
import { useNow } from '#platform/web/clock.ts';
import { FieldErrorText, fieldId } from '#platform/web/ui/field.tsx';
import type { FulfilmentType, Slot, Store } from '#store/contract.ts';
import { openStateAt, pauseEnd, tradingDayBounds, tradingDayOf } from '#store/opening-hours.ts';
import { readyWords } from '#store/ready-words.ts';

interface CheckoutWhenProps {
  store: Store;
  fulfilment: FulfilmentType;
  /** The soonest it can be had, ISO 8601. */
  earliest: string | null;
  /** null: as soon as possible. */
  value: string | null;
  onChange: (value: string | null) => void;
  errors: readonly string[] | undefined;
}

/** Now, or a slot that is still free. */
export function CheckoutWhen({ store, fulfilment, earliest, value, onChange, errors }: CheckoutWhenProps) {
  const now = useNow();
  const isOpen = openStateAt(store, now).is_open;
  const canBeSoon = isOpen && earliest !== null;
  const [isLater, setLater] = useState(value !== null);
  const showSlots = isLater || !canBeSoon;
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
            isChosen={!isLater}
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
        {showSlots && (
          <Slots store={store} fulfilment={fulfilment} earliest={earliest} value={value} onChange={onChange} />
        )}
        <input type="hidden" name="requested_for" value={value ?? ''} />
        <FieldErrorText id={errorId} errors={errors} />
      </div>
    </CheckoutSection>
  );
}

function Slots({
  store,
  fulfilment,
  earliest,
  value,
  onChange,
}: Pick<CheckoutWhenProps, 'store' | 'fulfilment' | 'earliest' | 'value' | 'onChange'>) {
  const now = useNow();
  // Days on which nothing can be had any more are not offered.
  const days = tradingDays(store, now, earliest);
  const [picked, setPicked] = useState(value ? tradingDayOf(store, new Date(value)) : '');
  const isPicked = days.includes(picked);
  // Until somebody picks a day it is the first that has a time left: how full the slots are only the server knows.
  const [passed, setPassed] = useState('');
  const day = isPicked ? picked : (days.find((each) => each > passed) ?? days.at(-1) ?? '');
  const slots = useQuery({
    queryKey: ['slots', store.id, fulfilment, day],
    queryFn: async () =>
      (
        await api(
          'GET /v1/stores/{id}/slots',
          { id: store.id, fulfilment_type: fulfilment, date: day },
          { timeout: 15_000 },
        )
      ).data,
    staleTime: 60_000,
    refetchInterval: 60_000,
  });
  const free = slots.data?.filter((slot) => slot.is_available);
  const isFree = free?.some((slot) => slot.starts_at === value) ?? true;
  const firstFree = free?.[0]?.starts_at ?? null;
  const nextDay = days[days.indexOf(day) + 1];

  // What is chosen must be there: otherwise the day's first free time, or none, is.
  useEffect(() => {
    if (!isFree || value === null) onChange(firstFree);
  }, [isFree, value, firstFree, onChange]);
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
          onChange={(event) => onChange(event.target.value || null)}
          disabled={!slots.data}
        >
          {!value && <option value="">{slots.isPending ? m.platform_loading() : m.ordering_when_none()}</option>}
          {slots.data?.map((slot) => (
            <option key={slot.starts_at} value={slot.starts_at} disabled={!slot.is_available}>
              {slotWords(slot, store, now)}
            </option>
          ))}
        </select>
      </label>
      {isEmpty && isPicked && nextDay && (
        <p className="text-sm sm:col-span-2">
          {m.ordering_when_none()}.{' '}
          <button type="button" className="link min-h-11" onClick={() => setPicked(nextDay)}>
            {m.ordering_when_next_day()}
          </button>
        </p>
      )}
      {slots.isError && (
        <p className="text-sm font-semibold text-bad-text sm:col-span-2">
          {m.ordering_when_failed()}{' '}
          <button type="button" className="link" onClick={() => void slots.refetch()}>
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

/** From the day of the soonest order, or today, as far ahead as the shop takes orders. */
function tradingDays(store: Store, now: Date, earliest: string | null): string[] {
  const today = Date.parse(tradingDayOf(store, now));
  const first = earliest ? tradingDayOf(store, new Date(earliest)) : '';
  return Array.from({ length: store.preorder_days + 1 }, (_, ahead) =>
    new Date(today + ahead * 86_400_000).toISOString().slice(0, 10),
  ).filter((day) => day >= first);
}

function capitalise(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
