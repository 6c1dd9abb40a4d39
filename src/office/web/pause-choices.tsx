import { Menu } from '@mantine/core';
import { Fragment } from 'react';
import { m } from '#messages';
import { timeWords } from '#platform/date-words.ts';
import type { FulfilmentType, StaffStore } from '#store/contract.ts';
import { tradingDayEnd } from '#store/opening-hours.ts';
import { earlyClosingTimes, isClosedEarly } from '#store/special-days.ts';

const pauses = [15, 30, 60] as const;
const ways = ['delivery', 'collection'] as const;

export type PauseEnd = ({ minutes: number } | { until: string }) & { fulfilment_type?: FulfilmentType };

export interface PauseChoicesProps extends CloseEarlyProps {
  onPause: (end: PauseEnd) => void;
}

/** The items of the menu of pauses. */
export function PauseChoices({ store, now, onPause, onClose }: PauseChoicesProps) {
  const hasBothWays = store.delivery_enabled && store.collection_enabled;
  return (
    <>
      <Menu.Label>{m.office_pause_hint()}</Menu.Label>
      {pauses.map((minutes) => (
        <Menu.Item key={minutes} onClick={() => onPause({ minutes })}>
          {m.office_pause_minutes({
            minutes,
            time: timeWords(new Date(now.getTime() + minutes * 60_000), store.timezone),
          })}
        </Menu.Item>
      ))}
      <Menu.Item onClick={() => onPause({ until: tradingDayEnd(store, now) })}>{m.office_pause_day()}</Menu.Item>
      {hasBothWays && (
        <>
          <Menu.Divider />
          <Menu.Label>{m.office_way_pause()}</Menu.Label>
          {ways.map((way) => (
            <Fragment key={way}>
              <Menu.Item onClick={() => onPause({ minutes: 60, fulfilment_type: way })}>
                {m.office_way_pause_hour({
                  way,
                  time: timeWords(new Date(now.getTime() + 3_600_000), store.timezone),
                })}
              </Menu.Item>
              <Menu.Item onClick={() => onPause({ until: tradingDayEnd(store, now), fulfilment_type: way })}>
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
  /** `at`: HH:mm by the shop's clock; null cancels an early closing. */
  onClose: (at: string | null) => void;
}

/** The hours at which the shop can close early today, as items of the menu of pauses. */
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
