import { useSyncExternalStore } from 'react';
import { isSoundLocked, onSoundChange, ringChime, unlockSound } from '#kitchen/web/board/chime.ts';
import { nativeShell } from '#platform/web/native/native-shell.ts';
import { makeStore } from '#platform/web/store.ts';

export interface Shift {
  /** Whether the board is switched on: it makes sound, keeps the screen on and counts as present. */
  isOn: boolean;
  sound: 'ready' | 'locked' | 'muted';
  isScreenAwake: boolean;
}

const shiftKey = 'kitchen_shift';
let isOn = sessionStorage.getItem(shiftKey) === 'on';
let isMuted = false;
let lock: WakeLockSentinel | null = null;
let isKeptByApp = false;
const shifts = makeStore(read);

export function useShift(): Shift {
  return useSyncExternalStore(shifts.subscribe, shifts.read);
}

/** Call it from a tap or a key, because that unlocks the sound. Rings once, so that everybody hears that it works. */
export async function startShift(): Promise<void> {
  isOn = true;
  isMuted = false;
  sessionStorage.setItem(shiftKey, 'on');
  change();
  await Promise.all([unlockSound(), keepAwake()]);
  ringChime(0.3);
}

export function endShift(): void {
  isOn = false;
  sessionStorage.removeItem(shiftKey);
  void lock?.release();
  lock = null;
  nativeShell().keepAwake(false);
  isKeptByApp = false;
  change();
}

export function muteShift(muted: boolean): void {
  isMuted = muted;
  change();
}

/** After a reload the shift continues: the first touch unlocks the sound again. */
function resume(): void {
  if (!isOn) return;
  if (isSoundLocked()) void unlockSound();
  if (!isAwake()) void keepAwake();
}

const isAwake = () => lock !== null || isKeptByApp;

async function keepAwake(): Promise<void> {
  const { app, keepAwake: askApp } = nativeShell();
  if (app) {
    askApp(true);
    isKeptByApp = true;
    return change();
  }
  try {
    lock = (await navigator.wakeLock?.request('screen')) ?? null;
    lock?.addEventListener('release', () => {
      lock = null;
      change();
    });
  } catch {
    // A low battery, or a hidden page: it is requested again when the page is visible.
  }
  change();
}

function read(): Shift {
  const sound = isMuted ? 'muted' : isSoundLocked() ? 'locked' : 'ready';
  return { isOn, sound, isScreenAwake: isAwake() };
}

function change(): void {
  const next = read();
  const shift = shifts.read();
  if (next.isOn === shift.isOn && next.sound === shift.sound && next.isScreenAwake === shift.isScreenAwake) return;
  shifts.set(next);
}

onSoundChange(change);
document.addEventListener('pointerdown', resume);
document.addEventListener('keydown', resume);
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible' && isOn && !isAwake()) void keepAwake();
});
