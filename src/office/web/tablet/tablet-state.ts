import { useEffect, useState } from 'react';
import { nativeShell, type PhoneState } from '#platform/web/native/native-shell.ts';

/** Milliseconds. The app also takes it for the page's word that it is there (BoardService.java). */
const askEvery = 10_000;
export const lowBattery = 20;

/** The tablet as it is now; null in a browser. */
export function useTabletState(): PhoneState | null {
  const [state, setState] = useState<PhoneState | null>(null);
  useEffect(() => {
    const shell = nativeShell();
    const read = () => setState(shell.state());
    read();
    const timer = setInterval(read, askEvery);
    const stop = shell.onChange(read);
    return () => {
      clearInterval(timer);
      stop();
    };
  }, []);
  return state;
}

/** The tablet's faults that a person should mend, the most pressing first. */
export type TabletFault = 'battery' | 'wifi' | 'update' | 'sleep' | 'unlocked';

export function faultsOf(state: PhoneState): TabletFault[] {
  const isEmptying = state.battery !== null && state.battery <= lowBattery && !state.is_charging;
  const faults: (TabletFault | false)[] = [
    isEmptying && 'battery',
    (!state.is_online || (state.wifi !== null && state.wifi <= 1)) && 'wifi',
    state.update.phase === 'ready' && state.update.needs_permission && 'update',
    !state.ignores_battery && 'sleep',
    !state.is_locked && 'unlocked',
  ];
  return faults.filter((each) => each !== false);
}
