import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { problemAt } from '#kitchen/web/till/in-the-way.tsx';
import type { TillDraft } from '#kitchen/web/till/till-draft.ts';
import { m } from '#messages';
import type { Problem, Quote } from '#ordering/basket.ts';
import { timeWords } from '#platform/date-words.ts';
import { api } from '#platform/web/api.ts';
import type { Store } from '#store/contract.ts';
import classes from '#kitchen/web/till/wishes.module.css';

interface TimeProps {
  store: Store;
  draft: TillDraft;
  quote: Quote | undefined;
  problems: readonly Problem[];
  onChange: (part: Partial<TillDraft>) => void;
}

/** As soon as possible, or one of the shop's slots. */
export function OrderTime({ store, draft, quote, problems, onChange }: TimeProps) {
  const prepMinutes = quote?.prep_minutes ?? 0;
  const { data = [] } = useQuery({
    queryKey: ['till slots', store.id, draft.fulfilment, prepMinutes],
    refetchInterval: 60_000,
    queryFn: async ({ signal }) => {
      const wanted = { id: store.id, fulfilment_type: draft.fulfilment, prep_minutes: prepMinutes };
      return (await api('GET /v1/stores/{id}/slots', wanted, { signal, timeout: 15_000 })).data;
    },
  });
  const soon = quote?.earliest_at
    ? m.kitchen_till_soon_at({ time: timeWords(quote.earliest_at, store.timezone) })
    : m.kitchen_till_soon();
  return (
    <NativeSelect
      className={classes.wide}
      label={m.kitchen_till_when()}
      value={draft.requestedFor ?? ''}
      error={problemAt(problems, 'requested_for')}
      onChange={(event) => onChange({ requestedFor: event.currentTarget.value || null })}
      data={[
        { value: '', label: soon },
        ...data.map(({ starts_at: at, is_available: isFree }) => {
          const time = timeWords(at, store.timezone);
          return { value: at, label: isFree ? time : m.kitchen_till_slot_full({ time }) };
        }),
      ]}
    />
  );
}
