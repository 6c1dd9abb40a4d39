import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { startShift } from '#kitchen/web/board/shift.ts';
import { m } from '#messages';
import { TabletDialog } from '#office/web/tablet/tablet-dialog.tsx';
import { faultsOf, lowBattery, useTabletState } from '#office/web/tablet/tablet-state.ts';
import classes from '#office/web/tablet/tablet.module.css';
import type { AndroidShell } from '#platform/web/native/android-shell.ts';
import type { PhoneState } from '#platform/web/native/native-shell.ts';

interface TabletProps {
  shell: AndroidShell;
  onRevoked: () => void;
  /** False for a wrong PIN. */
  onSignOut: (pin: string) => boolean;
}

/** The kitchen's app adds the tablet's state to the board's toolbar. */
export function TabletParts({ shell, onRevoked, onSignOut }: TabletProps) {
  const state = useTabletState();
  const place = useElement('board-tablet');
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    shell.ready();
    // The app lets its page sound and stay on: nobody has to begin the shift of a board that has just started.
    void startShift();
    return shell.onTold((told) => told.type === 'revoked' && onRevoked());
  }, [shell, onRevoked]);
  if (!state || !place) return null;
  return (
    <>
      {createPortal(<StateButton state={state} onClick={() => setOpen(true)} />, place)}
      {isOpen && <TabletDialog state={state} shell={shell} onClose={() => setOpen(false)} onSignOut={onSignOut} />}
    </>
  );
}

function StateButton({ state, onClick }: { state: PhoneState; onClick: () => void }) {
  const { battery, is_charging: isCharging, wifi } = state;
  const isLow = battery !== null && battery <= lowBattery && !isCharging;
  return (
    <button
      type="button"
      className={classes.state}
      onClick={onClick}
      aria-label={m.office_tablet_state()}
      data-faults={faultsOf(state).length}
    >
      {battery !== null && (
        <span data-bad={isLow || undefined}>
          {isCharging ? m.office_tablet_charging({ percent: battery }) : m.office_tablet_battery({ percent: battery })}
        </span>
      )}
      <span data-bad={!state.is_online || (wifi !== null && wifi <= 1) || undefined}>
        {state.is_online
          ? wifi === null
            ? m.office_tablet_online()
            : m.office_tablet_wifi({ bars: wifi })
          : m.office_tablet_offline()}
      </span>
    </button>
  );
}

/** An element that the board renders when it is ready. */
function useElement(id: string): HTMLElement | null {
  const [element, setElement] = useState<HTMLElement | null>(null);
  useEffect(() => {
    const look = () => setElement(document.getElementById(id));
    look();
    const observer = new MutationObserver(look);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [id]);
  return element;
}
