import { Menu } from '@mantine/core';
import { Fragment } from 'react';
import { m } from '#messages';
import { shopNow } from '#platform/web/clock.ts';
import { timeWords } from '#platform/date-words.ts';
import type { FulfilmentType, StaffStore } from '#store/contract.ts';
import { pausedWords, wayPausedWords } from '#store/web/manage/paused-words.ts';
import { tradingDayEnd } from '#store/opening-hours.ts';
import { earlyClosingTimes, isClosedEarly } from '#store/special-days.ts';

const pauses = [15, 30, 60] as const;
const ways = ['delivery', 'collection'] as const;

type PauseEnd = ({ minutes: number } | { until: string }) & { fulfilment_type?: FulfilmentType };

export interface PauseChoicesProps extends CloseEarlyProps {
  /** Pauses the shop. `done` gets the updated store, and returns the text of the success notice. */
  onPause: (end: PauseEnd, done: (paused: StaffStore) => string) => void;
}

export function PauseChoices({ store, now, onPause, onClose }: PauseChoicesProps) {
  const hasBothWays = store.delivery_enabled && store.collection_enabled;
  const isPaused = (way: FulfilmentType): boolean =>
    store.pauses.some(({ fulfilment_type: of, until }) => of === way && Date.parse(until) > now.getTime());
  const open = hasBothWays ? ways.filter((way) => !isPaused(way)) : [];
  const pause = (end: PauseEnd): void =>
    onPause(end, (paused) => {
      const at = new Date(shopNow());
      return end.fulfilment_type ? wayPausedWords(paused, end.fulfilment_type, at) : pausedWords(paused, at);
    });
  return (
    <>
      <Menu.Label>{m.office_pause_hint()}</Menu.Label>
      {pauses.map((minutes) => (
        <Menu.Item key={minutes} onClick={() => pause({ minutes })}>
          {m.office_pause_minutes({
            minutes,
            time: timeWords(new Date(now.getTime() + minutes * 60_000), store.timezone),
          })}
        </Menu.Item>
      ))}
      <Menu.Item onClick={() => pause({ until: tradingDayEnd(store, now) })}>{m.office_pause_day()}</Menu.Item>
      {open.length > 0 && (
        <>
          <Menu.Divider />
          <Menu.Label>{m.office_way_pause()}</Menu.Label>
          {open.map((way) => (
            <Fragment key={way}>
              <Menu.Item onClick={() => pause({ minutes: 60, fulfilment_type: way })}>
                {m.office_way_pause_hour({
                  way,
                  time: timeWords(new Date(now.getTime() + 3_600_000), store.timezone),
                })}
              </Menu.Item>
              <Menu.Item onClick={() => pause({ until: tradingDayEnd(store, now), fulfilment_type: way })}>
                {m.office_way_pause_day({ way })}
              </Menu.Item>
            </Fragment>
          ))}
        </>
      )}
      <CloseEarlyChoices store={store} now={now} onClose={onClose} />
    </>
  );
}

interface CloseEarlyProps {
  store: StaffStore;
  now: Date;
  /** Sets or cancels an early closing. `at`: HH:mm by the shop's clock; null cancels. */
  onClose: (at: string | null) => void;
}

/** The pause menu's items for closing early today, one for each time that can be chosen. */
function CloseEarlyChoices({ store, now, onClose }: CloseEarlyProps) {
  const isEarly = isClosedEarly(store, now);
  const times = earlyClosingTimes(store, now);
  if (times.length === 0 && !isEarly) return null;
  return (
    <>
      <Menu.Divider />
      <Menu.Label>{m.office_close_early()}</Menu.Label>
      {times.map((at) => (
        <Menu.Item key={at} onClick={() => onClose(at)}>
          {m.office_close_early_at({ time: at })}
        </Menu.Item>
      ))}
      {isEarly && <Menu.Item onClick={() => onClose(null)}>{m.office_close_early_undo()}</Menu.Item>}
    </>
  );
}
