import { Button, Group, NativeSelect, Switch, TextInput } from '@mantine/core';
import { use, useState } from 'react';
import { m } from '#messages';
import { Icon } from '#ui/web/office/office-icon.tsx';
import { notify } from '#ui/web/notify.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import { pausedWords, wayPausedWords } from '#store/web/manage/paused-words.ts';
import { openSignStatusAt } from '#store/web/opening-status.ts';
import { confirmStoppingOrders, CountOpenOrdersContext } from '#store/web/confirm-service-end.ts';
import { replaceStore } from '#store/web/stores.ts';
import { api } from '#platform/web/api.ts';
import { shopNow, useNow } from '#platform/web/clock.ts';
import type { StaffStore } from '#store/contract.ts';
import { parseLocalTime, timeAndDayWords, formatLocalTime } from '#store/customer-preview.ts';
import { pauseReasonWords, tradingDayEnd } from '#store/opening-hours.ts';
import { earlyClosingTimes, isClosedEarly } from '#store/special-days.ts';
import classes from '#store/web/manage/manage.module.css';
import { SettingsSection } from '#store/web/manage/settings-section.tsx';
import type { StoreDraft } from '#store/web/manage/use-store-draft.ts';
import { FieldColumns } from '#ui/web/office/office-page.tsx';

const lengths = ['15', '30', '60', 'day', 'until'] as const;
type Length = (typeof lengths)[number];
const parts = ['whole', 'delivery', 'collection'] as const;
type Part = (typeof parts)[number];
const busySteps = [0, 10, 20, 30] as const;
const withTimeout = { timeout: 15_000 };

/** Settings that apply at once: accepting orders, a pause, busy minutes. */
export function NowSection({ draft }: { draft: StoreDraft }) {
  const { store } = draft;
  const now = useNow();
  const countOpen = use(CountOpenOrdersContext);
  const [isBusy, setBusy] = useState(false);
  const { isTaking, words } = openSignStatusAt(store, now);

  const run = async (
    call: () => Promise<{ data: StaffStore }>,
    done: string | ((store: StaffStore) => string),
    undo?: () => void,
  ): Promise<void> => {
    setBusy(true);
    try {
      const { data } = await call();
      replaceStore(data);
      const text = typeof done === 'string' ? done : done(data);
      notify({ id: 'shop', text, ...(undo && { action: { label: m.platform_undo(), run: undo } }) });
    } catch (error) {
      notify({ id: 'shop', text: refusalWords(error), tone: 'bad' });
    }
    setBusy(false);
  };
  const accept = (wanted: boolean): Promise<void> =>
    run(
      () => api('PATCH /v1/stores/{id}', { id: store.id, is_accepting_orders: wanted }, withTimeout),
      wanted ? m.office_resumed() : m.store_manage_accepting_ended(),
      () => void accept(!wanted),
    );
  const switchOff = async (): Promise<void> => {
    if (await confirmStoppingOrders(countOpen, [store.id])) await accept(false);
  };

  return (
    <SettingsSection draft={draft} title={m.store_manage_now()} hint={m.store_manage_now_hint()}>
      <p className={isTaking ? classes.good : classes.warn} data-state>
        {words}
      </p>
      <fieldset className={classes.panel}>
        <legend>{m.store_manage_accepting()}</legend>
        <Switch
          label={m.store_manage_accepting_label()}
          description={m.store_manage_accepting_hint()}
          checked={store.is_accepting_orders}
          disabled={isBusy}
          onChange={(event) => void (event.currentTarget.checked ? accept(true) : switchOff())}
        />
      </fieldset>
      <Pause store={store} now={now} isBusy={isBusy} run={run} />
      <CloseEarly store={store} now={now} isBusy={isBusy} run={run} />
      <fieldset className={classes.panel}>
        <legend>{m.office_busy()}</legend>
        <p className={classes.soft}>{m.store_manage_busy_hint({ minutes: store.prep_minutes })}</p>
        <Group gap="xs">
          {busySteps.map((minutes) => (
            <Button
              key={minutes}
              variant={minutes === store.busy_extra_minutes ? 'filled' : 'default'}
              aria-pressed={minutes === store.busy_extra_minutes}
              disabled={isBusy}
              onClick={() =>
                void run(
                  () => api('POST /v1/stores/{id}/busy', { id: store.id, minutes }, withTimeout),
                  minutes === 0 ? m.office_busy_ended() : m.office_busy_begun({ minutes }),
                )
              }
            >
              {minutes === 0 ? m.office_busy_off() : m.office_busy_minutes({ minutes })}
            </Button>
          ))}
        </Group>
      </fieldset>
    </SettingsSection>
  );
}

interface PauseProps {
  store: StaffStore;
  now: Date;
  isBusy: boolean;
  run: (call: () => Promise<{ data: StaffStore }>, done: string | ((store: StaffStore) => string)) => Promise<void>;
}

function Pause({ store, now, isBusy, run }: PauseProps) {
  const [length, setLength] = useState<Length>('30');
  const [reason, setReason] = useState('');
  const [chosenPart, setPart] = useState<Part>('whole');
  const paused = new Set(pausesAt(store, now).map(({ fulfilment_type: way }) => way));
  // A paused fulfilment type is left out, because the list of pauses has the button that ends its pause.
  const open = parts.filter((each) => each === 'whole' || !paused.has(each));
  const part = open.includes(chosenPart) ? chosenPart : 'whole';
  const hasBothWays = store.collection_enabled && store.delivery_enabled;
  const [until, setUntil] = useState('');
  const [error, setError] = useState<string | null>(null);
  const isPaused = store.paused_until !== null && Date.parse(store.paused_until) > now.getTime();

  const pause = async (): Promise<void> => {
    const end = endOf(length, until, store, new Date(shopNow()));
    if (end === null) return setError(m.store_manage_pause_until_wrong());
    setError(null);
    await run(
      () =>
        api(
          'POST /v1/stores/{id}/pause',
          { id: store.id, until: end.toISOString(), reason, fulfilment_type: part === 'whole' ? null : part },
          withTimeout,
        ),
      (paused) => {
        const at = new Date(shopNow());
        return part === 'whole' ? pausedWords(paused, at) : wayPausedWords(paused, part, at);
      },
    );
  };

  if (store.pause_cause === 'restored') return <p className={classes.warn}>{m.store_waits_restored()}</p>;
  return (
    <fieldset className={classes.panel}>
      <legend>{m.office_pause()}</legend>
      {isPaused && <PausedShop store={store} now={now} isBusy={isBusy} run={run} />}
      <PausedWays store={store} now={now} isBusy={isBusy} run={run} />
      <FieldColumns>
        {hasBothWays && (
          <NativeSelect
            label={m.store_manage_pause_part()}
            value={part}
            data={open.map((value) => ({ value, label: partWords(value) }))}
            onChange={(event) => setPart(parts.find((value) => value === event.currentTarget.value) ?? 'whole')}
          />
        )}
        <NativeSelect
          label={m.office_pause_hint()}
          value={length}
          data={lengths.map((value) => ({ value, label: lengthWords(value) }))}
          onChange={(event) => setLength(lengths.find((value) => value === event.currentTarget.value) ?? '30')}
        />
        {length === 'until' && (
          <TextInput
            type="datetime-local"
            label={m.store_manage_pause_until()}
            value={until || formatLocalTime(store.timezone, new Date(now.getTime() + 3_600_000))}
            error={error}
            onChange={(event) => setUntil(event.currentTarget.value)}
          />
        )}
        <TextInput
          label={m.store_manage_pause_reason()}
          description={m.store_manage_pause_reason_hint()}
          maxLength={200}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      </FieldColumns>
      <Group>
        <Button variant="default" leftSection={<Icon name="pause" />} loading={isBusy} onClick={() => void pause()}>
          {isPaused ? m.store_manage_pause_change() : m.office_pause()}
        </Button>
      </Group>
    </fieldset>
  );
}

/**
 * Offers the times at which the shop can close early today, and the undo of an early closing. Renders nothing if there
 * is neither.
 */
function CloseEarly({ store, now, isBusy, run }: PauseProps) {
  const times = earlyClosingTimes(store, now);
  const isEarly = isClosedEarly(store, now);
  if (times.length === 0 && !isEarly) return null;
  const close = (at: string | null): void =>
    void run(
      () => api('POST /v1/stores/{id}/close-early', { id: store.id, at }, withTimeout),
      at === null ? m.office_close_early_undone() : m.office_close_early_done({ time: at }),
    );
  return (
    <fieldset className={classes.panel}>
      <legend>{m.office_close_early()}</legend>
      <Group gap="xs">
        {times.map((at) => (
          <Button key={at} variant="default" disabled={isBusy} onClick={() => close(at)}>
            {m.office_close_early_at({ time: at })}
          </Button>
        ))}
        {isEarly && (
          <Button variant="default" disabled={isBusy} onClick={() => close(null)}>
            {m.office_close_early_undo()}
          </Button>
        )}
      </Group>
    </fieldset>
  );
}

function PausedShop({ store, now, isBusy, run }: PauseProps) {
  const why = pauseReasonWords(store);
  const zone = store.timezone;
  if (store.paused_until === null) return null;
  return (
    <div className={classes.row}>
      <p className={classes.warn}>
        {why
          ? m.store_why_paused_reason({ until: timeAndDayWords(store.paused_until, now, zone), reason: why })
          : m.store_why_paused({ until: timeAndDayWords(store.paused_until, now, zone) })}{' '}
        {pausedWords(store, now)}
      </p>
      <Button
        leftSection={<Icon name="play" />}
        loading={isBusy}
        onClick={() =>
          void run(() => api('POST /v1/stores/{id}/resume', { id: store.id }, withTimeout), m.office_resumed())
        }
      >
        {m.office_resume()}
      </Button>
    </div>
  );
}

/** The fulfilment types that have a pause of their own, each with the button that ends its pause. */
function PausedWays({ store, now, isBusy, run }: PauseProps) {
  return pausesAt(store, now).map(({ fulfilment_type: way, until: end, reason: because }) => (
    <div key={way} className={classes.row}>
      <p className={classes.warn}>
        {m.store_manage_way_paused({ way, until: timeAndDayWords(end, now, store.timezone) })} {because}
      </p>
      <Button
        leftSection={<Icon name="play" />}
        loading={isBusy}
        onClick={() =>
          void run(
            () => api('POST /v1/stores/{id}/resume', { id: store.id, fulfilment_type: way }, withTimeout),
            m.office_way_resumed({ way }),
          )
        }
      >
        {m.office_way_resume_short({ way })}
      </Button>
    </div>
  ));
}

function pausesAt({ pauses }: StaffStore, now: Date): StaffStore['pauses'] {
  return pauses.filter(({ until }) => Date.parse(until) > now.getTime());
}

function partWords(part: Part): string {
  if (part === 'whole') return m.store_manage_pause_whole();
  return part === 'delivery' ? m.store_manage_pause_delivery() : m.store_manage_pause_collection();
}

function lengthWords(length: Length): string {
  if (length === 'day') return m.office_pause_day();
  return length === 'until' ? m.store_manage_pause_until() : m.store_manage_minutes({ minutes: Number(length) });
}

/**
 * Returns the end of a pause; null for an invalid or past time. If the clocks repeat the time, the pause ends at the
 * first occurrence.
 */
function endOf(length: Length, until: string, store: StaffStore, now: Date): Date | null {
  if (length === 'day') return new Date(tradingDayEnd(store, now));
  if (length !== 'until') return new Date(now.getTime() + Number(length) * 60_000);
  const typed = until || formatLocalTime(store.timezone, new Date(now.getTime() + 3_600_000));
  const read = parseLocalTime(store.timezone, typed);
  const end = read?.kind === 'twice' ? read.instants[0] : read?.instant;
  return end && end > now ? end : null;
}
