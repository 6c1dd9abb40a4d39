import { Button, Menu } from '@mantine/core';
import { createElement, Suspense, useState } from 'react';
import { m } from '#messages';
import { Icon } from '#ui/web/office/office-icon.tsx';
import { notify } from '#ui/web/notify.ts';
import classes from '#office/web/shop-controls.module.css';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import { type OpenSignStatus, openSignStatusAt } from '#store/web/opening-status.ts';
import { replaceStore } from '#store/web/stores.ts';
import { timeWords } from '#platform/date-words.ts';
import { api } from '#platform/web/api.ts';
import { useNow } from '#platform/web/clock.ts';
import type { FulfilmentType, StaffStore } from '#store/contract.ts';
import type { PauseChoicesProps } from '#office/web/pause-choices.tsx';
import { lazyPart } from '#ui/web/lazy-part.ts';

const pauseChoices = lazyPart(
  async () => (await import('#office/web/pause-choices.tsx')).PauseChoices,
  () => null,
);

const busySteps = [10, 20, 30] as const;

/** Shows whether customers can order, and the controls with which staff pause orders or add busy minutes. */
export function ShopControls({ store }: { store: StaffStore }) {
  const now = useNow();
  const [isBusy, setBusy] = useState(false);
  const sign = openSignStatusAt(store, now);
  const isPaused = store.paused_until !== null && Date.parse(store.paused_until) > now.getTime();

  const run = async (
    call: () => Promise<{ data: StaffStore }>,
    done: (store: StaffStore) => string,
    undo?: () => void,
  ): Promise<void> => {
    setBusy(true);
    try {
      const { data } = await call();
      replaceStore(data);
      notify({ id: 'shop', text: done(data), ...(undo && { action: { label: m.platform_undo(), run: undo } }) });
    } catch (error) {
      notify({ id: 'shop', text: refusalWords(error), tone: 'bad' });
    }
    setBusy(false);
  };
  const pause: PauseChoicesProps['onPause'] = (end, done) =>
    void run(() => api('POST /v1/stores/{id}/pause', { id: store.id, ...end }, { timeout: 15_000 }), done);

  const closeEarly = (at: string | null): Promise<void> =>
    run(
      () => api('POST /v1/stores/{id}/close-early', { id: store.id, at }, { timeout: 15_000 }),
      () => (at === null ? m.office_close_early_undone() : m.office_close_early_done({ time: at })),
      at === null ? undefined : () => void closeEarly(null),
    );
  const resume = (way: FulfilmentType | null): Promise<void> =>
    run(
      () => api('POST /v1/stores/{id}/resume', { id: store.id, fulfilment_type: way }, { timeout: 15_000 }),
      () => (way === null ? m.office_resumed() : m.office_way_resumed({ way })),
    );

  return (
    <div className={classes.controls}>
      <p className={classes.state} data-state={toneOf(sign)}>
        <span className={classes.dot} aria-hidden="true" />
        {sign.words}
      </p>
      {!store.is_accepting_orders || store.pause_cause === 'restored' ? null : isPaused ? (
        <Button variant="filled" leftSection={<Icon name="play" />} loading={isBusy} onClick={() => void resume(null)}>
          {m.office_resume()}
        </Button>
      ) : (
        <PauseMenu store={store} now={now} isBusy={isBusy} onPause={pause} onClose={(at) => void closeEarly(at)} />
      )}
      <PausedWays store={store} now={now} onResume={(way) => void resume(way)} />
      {store.is_accepting_orders && (
        <BusyMenu
          store={store}
          isBusy={isBusy}
          onBusy={(minutes) =>
            void run(
              () => api('POST /v1/stores/{id}/busy', { id: store.id, minutes }, { timeout: 15_000 }),
              () => busyDone(minutes),
            )
          }
        />
      )}
    </div>
  );
}

interface PauseMenuProps extends PauseChoicesProps {
  isBusy: boolean;
}

function PauseMenu({ store, now, isBusy, onPause, onClose }: PauseMenuProps) {
  return (
    <Menu width={280}>
      <Menu.Target>
        <Button variant="default" leftSection={<Icon name="pause" />} loading={isBusy}>
          {m.office_pause()}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Suspense>{createElement(pauseChoices(), { store, now, onPause, onClose })}</Suspense>
      </Menu.Dropdown>
    </Menu>
  );
}

interface PausedWaysProps {
  store: StaffStore;
  now: Date;
  onResume: (way: FulfilmentType) => void;
}

/**
 * Shows a button for each paused fulfilment type. The button ends the pause of its type. A pause of the whole shop has
 * its own button, in `ShopControls`.
 */
function PausedWays({ store, now, onResume }: PausedWaysProps) {
  const paused = store.pauses.filter(({ until }) => Date.parse(until) > now.getTime());
  if (paused.length === 0) return null;
  return (
    <div className={classes.ways}>
      {paused.map(({ fulfilment_type: way, until }) => {
        const time = timeWords(until, store.timezone);
        return (
          <Button
            key={way}
            variant="light"
            color="warm"
            title={m.office_way_resume({ way, time })}
            classNames={{ label: classes.wayLabel ?? '' }}
            onClick={() => onResume(way)}
          >
            {m.office_way_resume_until({ way, time })}
          </Button>
        );
      })}
    </div>
  );
}

interface BusyProps {
  store: StaffStore;
  isBusy: boolean;
  onBusy: (minutes: number) => void;
}

function BusyMenu({ store, isBusy, onBusy }: BusyProps) {
  return (
    <Menu width={280}>
      <Menu.Target>
        <Button
          variant={store.busy_extra_minutes > 0 ? 'light' : 'default'}
          color="warm"
          leftSection={<Icon name="clock" />}
          loading={isBusy}
        >
          {store.busy_extra_minutes > 0 ? m.office_busy_on({ minutes: store.busy_extra_minutes }) : m.office_busy()}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{m.office_busy_hint()}</Menu.Label>
        {[0, ...busySteps].map((minutes) => (
          <Menu.Item
            key={minutes}
            aria-current={minutes === store.busy_extra_minutes || undefined}
            onClick={() => onBusy(minutes)}
          >
            {minutes === 0 ? m.office_busy_off() : m.office_busy_minutes({ minutes })}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function busyDone(minutes: number): string {
  return minutes === 0 ? m.office_busy_ended() : m.office_busy_begun({ minutes });
}

function toneOf({ state, isTaking }: OpenSignStatus): string {
  if (state.is_open) return isTaking ? 'open' : 'closed';
  return state.reason === 'paused' || state.reason === 'not_accepting' ? 'stopped' : 'closed';
}
