import { Menu } from '@mantine/core';
import { m } from '#messages';
import { earlyClosings, isClosedEarly } from '#store/special-days.ts';
import type { StaffStore } from '#store/contract.ts';

interface CloseEarlyProps {
  store: StaffStore;
  now: Date;
  /** `at`: HH:mm by the shop's clock; null takes an early closing back. */
  onClose: (at: string | null) => void;
}

/** The hours at which the shop can close early today, in the menu of pauses; its code loads when the menu opens. */
export function CloseEarlyChoices({ store, now, onClose }: CloseEarlyProps) {
  const isEarly = isClosedEarly(store, now);
  const times = earlyClosings(store, now);
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
