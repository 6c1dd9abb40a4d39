import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { slotDays, tradingDaysIn } from '#ordering/web/slot-days.ts';
import { localDate } from '#platform/date-words.ts';
import { api } from '#platform/web/api.ts';
import type { FulfilmentType, Slot, Store } from '#store/contract.ts';
import type { Earliest } from '#store/earliest-ready.ts';

/** The input for the times of the checkout. */
export interface AskedTime {
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
  /** Told whether the chosen day has no time left, which only the server knows. */
  onNone: (isNone: boolean) => void;
  /** It was wanted as soon as possible, which is no longer possible: the message. Nothing is chosen until the customer does. */
  askedBecause: string | null;
}

/** The available days and times, and a lost choice. Keeps the chosen time among them. */
export function useSlots(
  { store, fulfilment, earliest, postcode, prepMinutes, value, onChange, onNone, askedBecause }: AskedTime,
  now: Date,
) {
  const isAsked = askedBecause !== null;
  // Days without available times are not offered.
  const days = slotDays(store, now, earliest);
  const [picked, setPicked] = useState(value ? localDate(value, store.timezone) : '');
  const isPicked = days.includes(picked);
  // Until a day is chosen it is the first with a free time: only the server knows how full the slots are.
  const [passed, setPassed] = useState('');
  const day = isPicked ? picked : (days.find((each) => each > passed) ?? days.at(-1) ?? '');
  const [lost, setLost] = useState<string | null>(null);
  const tradingDays = day === '' ? [] : tradingDaysIn(store, day, now);
  const answer = useQuery({
    queryKey: ['slots', store.id, fulfilment, day, tradingDays, postcode, prepMinutes],
    queryFn: async () => {
      const found = await fetchSlots({ store, fulfilment, postcode, prepMinutes }, tradingDays);
      return found.filter((slot) => localDate(slot.starts_at, store.timezone) === day);
    },
    staleTime: 60_000,
    refetchInterval: 60_000,
  });
  // The answer may be a minute old, and one of its times too soon by now.
  const slots = answer.data?.filter((slot) => !slot.is_available || !isBefore(slot, earliest));
  const free = slots?.filter((slot) => slot.is_available);
  const isFree = free?.some((slot) => slot.starts_at === value) ?? true;
  const next = (free?.find((slot) => value !== null && slot.starts_at > value) ?? free?.[0])?.starts_at ?? null;
  const nextDay = days[days.indexOf(day) + 1];

  // The chosen time must be available: otherwise the next free time, or none, replaces it, with a message.
  useEffect(() => {
    // Telling the same again would take the error off the field.
    if ((value === null ? !isAsked : !isFree) && next !== value) onChange(next);
  }, [isFree, value, next, onChange, isAsked]);
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

function isBefore(slot: Slot, earliest: Earliest | null): boolean {
  return earliest !== null && Date.parse(slot.starts_at) < Date.parse(earliest.at);
}

/** The slots of some trading days: by these the shop lists them. */
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
