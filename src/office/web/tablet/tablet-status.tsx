import { type ReactNode, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { startShift } from '#kitchen/web/board/shift.ts';
import { m } from '#messages';
import classes from '#office/web/tablet/tablet.module.css';
import type { AndroidShell } from '#platform/web/native/android-shell.ts';
import { nativeShell, type PhoneState, type UpdateState } from '#platform/web/native/native-shell.ts';
import { Button, MantineProvider, Modal, PasswordInput } from '@mantine/core';
import { InstallPermissionPicture } from '#ui/web/install-permission-picture.tsx';
import { mantineVariables, mantineTheme } from '#office/web/theme.ts';

interface TabletProps {
  shell: AndroidShell;
  onRevoked: () => void;
  /** Signs the tablet out; false: the PIN is wrong. */
  onSignOut: (pin: string) => boolean;
}

/** The kitchen app's button in the board's toolbar, which shows the tablet's status and opens a dialog with details. */
export function TabletStatus({ shell, onRevoked, onSignOut }: TabletProps) {
  const state = useTabletState();
  const place = useElement('board-tablet');
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    shell.ready();
    // Unlike a browser, the app may play sound before the first tap, so the shift starts at once.
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

/** The element with this id; null until the board has rendered it. */
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

const pinForm = /^\d{4,12}$/;

interface DialogProps {
  state: PhoneState;
  shell: AndroidShell;
  onClose: () => void;
  onSignOut: (pin: string) => boolean;
}

/** A dialog that lists the tablet's faults that matter for an order board, each with a remedy. */
function TabletDialog({ state, shell, onClose, onSignOut }: DialogProps) {
  const faults = faultsOf(state);
  return (
    <MantineProvider theme={mantineTheme} cssVariablesResolver={mantineVariables} defaultColorScheme="dark">
      <Modal
        opened
        onClose={onClose}
        title={m.office_tablet_state()}
        closeButtonProps={{ 'aria-label': m.platform_close() }}
      >
        <div className={classes.lines}>
          {faults.includes('battery') && <Line words={m.office_tablet_battery_low()} />}
          {faults.includes('wifi') && <Line words={m.office_tablet_wifi_weak()} />}
          {faults.includes('sleep') && (
            <Line words={m.office_tablet_sleep()}>
              <Button onClick={shell.askBattery}>{m.office_tablet_sleep_allow()}</Button>
            </Line>
          )}
          {state.notifications !== 'granted' && (
            <Line words={m.office_tablet_notices()}>
              <Button variant="default" onClick={shell.askNotifications}>
                {m.office_tablet_notices_allow()}
              </Button>
            </Line>
          )}
          <LockLine state={state} shell={shell} />
          {shell.app.updates_itself && <UpdateLine update={state.update} shell={shell} />}
          <SignOutLine isLocked={state.is_locked && state.is_owner} onSignOut={onSignOut} />
        </div>
      </Modal>
    </MantineProvider>
  );
}

function Line({ words, children }: { words: string; children?: ReactNode }) {
  return (
    <div className={classes.line}>
      <p>{words}</p>
      {children}
    </div>
  );
}

/**
 * The line that locks or unlocks the tablet. It warns unless the app is Android's "device owner", because otherwise
 * anybody can leave the locked screen.
 */
function LockLine({ state, shell }: Pick<DialogProps, 'state' | 'shell'>) {
  const [pin, setPin] = useState('');
  const [isWrong, setWrong] = useState(false);
  useEffect(() => shell.onTold((told) => told.type === 'wrong_pin' && setWrong(true)), [shell]);
  const words = state.is_owner ? m.office_tablet_lock_owner() : m.office_tablet_lock_pinned();
  const isUsable = pinForm.test(pin) || (!state.is_owner && pin === '');
  const turn = () => {
    setWrong(false);
    shell.lock(!state.is_locked, pin);
    setPin('');
  };
  return (
    <Line words={words}>
      {state.is_owner && (
        <PasswordInput
          label={m.office_tablet_pin()}
          inputMode="numeric"
          maxLength={12}
          value={pin}
          onChange={(event) => setPin(event.currentTarget.value)}
          error={isWrong && m.office_tablet_pin_wrong()}
        />
      )}
      <Button variant="default" disabled={!isUsable} onClick={turn}>
        {state.is_locked ? m.office_tablet_unlock() : m.office_tablet_lock()}
      </Button>
    </Line>
  );
}

function SignOutLine({ isLocked, onSignOut }: { isLocked: boolean; onSignOut: (pin: string) => boolean }) {
  const [pin, setPin] = useState('');
  const [isWrong, setWrong] = useState(false);
  const leave = () => {
    setWrong(!onSignOut(isLocked ? pin : ''));
    setPin('');
  };
  return (
    <Line words={isLocked ? m.office_tablet_out_locked() : m.office_tablet_out_words()}>
      {isLocked && (
        <PasswordInput
          label={m.office_tablet_out_pin()}
          inputMode="numeric"
          maxLength={12}
          value={pin}
          onChange={(event) => setPin(event.currentTarget.value)}
          error={isWrong && m.office_tablet_pin_wrong()}
        />
      )}
      <Button variant="default" color="red" disabled={isLocked && !pinForm.test(pin)} onClick={leave}>
        {m.office_tablet_out()}
      </Button>
    </Line>
  );
}

function UpdateLine({ update, shell }: { update: UpdateState; shell: AndroidShell }) {
  const action = update.phase === 'none' ? 'check' : update.phase === 'ready' ? 'install' : 'download';
  const isBusy = update.phase === 'checking' || update.phase === 'downloading' || update.phase === 'installing';
  const buttons = {
    check: m.office_tablet_update_check,
    download: m.platform_update_download,
    install: update.needs_permission ? m.office_tablet_update_allow : m.office_tablet_update_again,
  };
  return (
    <Line words={updateWords(update, shell.app.version)}>
      {update.phase === 'ready' && update.needs_permission && <InstallPermissionPicture />}
      {!isBusy && (action !== 'install' || update.needs_permission || update.problem === 'declined') && (
        <Button variant="default" onClick={() => shell.update(action)}>
          {buttons[action]()}
        </Button>
      )}
    </Line>
  );
}

function updateWords(update: UpdateState, installed: string): string {
  const version = update.version ?? '';
  const words: Record<UpdateState['phase'], string> = {
    none: m.office_tablet_update_none({ version: installed }),
    checking: m.office_tablet_update_checking(),
    offered: m.office_tablet_update_offered({ version }),
    downloading: m.office_tablet_update_downloading({ version, percent: update.percent }),
    ready: update.needs_permission
      ? m.office_tablet_update_permission()
      : update.problem === 'declined'
        ? m.office_tablet_update_declined({ version })
        : m.office_tablet_update_ready({ version }),
    installing: m.office_tablet_update_installing(),
    failed: update.problem.startsWith('refused') ? m.platform_update_refused() : m.platform_update_broken(),
  };
  return words[update.phase];
}

/**
 * The interval of reading the tablet's state (ms). Each read is also the page's heartbeat for the app
 * (BoardService.java).
 */
const askEvery = 10_000;
const lowBattery = 20;

/** The tablet's current state; null in a browser. */
function useTabletState(): PhoneState | null {
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

export type TabletFault = 'battery' | 'wifi' | 'update' | 'sleep' | 'unlocked';

function faultsOf(state: PhoneState): TabletFault[] {
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
