import { useSyncExternalStore } from 'react';
import { keepScreenAwake, type ScreenWakeLock } from '#kitchen/web/screen-awake.ts';
import { shopNow } from '#platform/web/clock.ts';
import { createExternalStore } from '#platform/web/external-store.ts';

/**
 * The audio context of the alarm sounds, which are computed because a sound file could fail to load; null before the
 * first touch.
 */
let context: AudioContext | null = null;
const lockOfChime = createExternalStore(isSoundLocked);

/** Unlocks the sound. Browsers allow this only during a tap or a key press. */
async function unlockSound(): Promise<void> {
  context ??= newContext();
  // On a page that nobody has touched, `resume` never settles.
  await Promise.race([context.resume(), new Promise((resolve) => setTimeout(resolve, 300))]).catch(() => undefined);
  announce();
}

function isSoundLocked(): boolean {
  return context?.state !== 'running';
}

const onSoundChange = lockOfChime.subscribe;

/** Rings the bell: two falling notes, or three such pairs if `gain` is above 0.75. `gain`: the volume from 0 to 1. */
export function ringOrderChime(gain: number): void {
  if (!context || context.state !== 'running') return;
  const times = gain > 0.75 ? 3 : 1;
  for (let index = 0; index < times; index += 1) {
    const at = context.currentTime + index * 0.45;
    strike(context, 1318.5, at, gain);
    strike(context, 1046.5, at + 0.18, gain);
  }
}

/** The tone of a lost connection: three low, rising beeps. `isSecond`: the tone waits until the bell has rung. */
export function playConnectionLostTone(gain: number, isSecond: boolean): void {
  if (!context || context.state !== 'running') return;
  const begins = context.currentTime + (isSecond ? 1.3 : 0);
  for (const [place, frequency] of [220, 277.2, 329.6].entries()) beep(context, frequency, begins + place * 0.22, gain);
}

/** A beep of square waves, which sounds unlike the bell. */
function beep(audio: AudioContext, frequency: number, at: number, gain: number): void {
  const envelope = audio.createGain();
  envelope.gain.setValueAtTime(gain * 0.35, at);
  envelope.gain.setValueAtTime(0, at + 0.16);
  const tone = audio.createOscillator();
  tone.type = 'square';
  tone.frequency.value = frequency;
  tone.connect(envelope).connect(audio.destination);
  tone.start(at);
  tone.stop(at + 0.2);
}

function strike(audio: AudioContext, frequency: number, at: number, gain: number): void {
  const envelope = audio.createGain();
  envelope.gain.setValueAtTime(0, at);
  envelope.gain.linearRampToValueAtTime(gain * 0.6, at + 0.01);
  envelope.gain.exponentialRampToValueAtTime(0.001, at + 0.9);
  envelope.connect(audio.destination);
  // Overtones can be heard through the noise of an extractor fan.
  for (const [ratio, share] of [
    [1, 1],
    [2, 0.5],
    [3.01, 0.25],
  ] as const) {
    const tone = audio.createOscillator();
    const level = audio.createGain();
    tone.frequency.value = frequency * ratio;
    level.gain.value = share;
    tone.connect(level).connect(envelope);
    tone.start(at);
    tone.stop(at + 1);
  }
}

function newContext(): AudioContext {
  const made = new AudioContext();
  made.addEventListener('statechange', announce);
  return made;
}

function announce(): void {
  lockOfChime.set(isSoundLocked());
}

export interface Shift {
  /** Whether the board is switched on. If it is, it plays sounds, keeps the screen on and counts as present. */
  isOn: boolean;
  /** When a tap last switched the board on (epoch ms); 0: not since the page loaded. */
  startedAt: number;
  sound: 'ready' | 'locked' | 'muted';
  isScreenAwake: boolean;
}

const shiftKey = 'kitchen_shift';
let isOn = sessionStorage.getItem(shiftKey) === 'on';
let startedAt = 0;
let isMuted = false;
let awake: ScreenWakeLock | null = null;
const shifts = createExternalStore(read);

export function useShift(): Shift {
  return useSyncExternalStore(shifts.subscribe, shifts.read);
}

/** Switches the board on, and rings once as a test. Call it during a tap or a key press, which unlocks the sound. */
export async function startShift(): Promise<void> {
  isOn = true;
  startedAt = shopNow();
  isMuted = false;
  sessionStorage.setItem(shiftKey, 'on');
  change();
  await Promise.all([unlockSound(), keepAwake()]);
  ringOrderChime(0.3);
}

export function endShift(): void {
  isOn = false;
  sessionStorage.removeItem(shiftKey);
  awake?.end();
  awake = null;
  change();
}

export function muteShift(muted: boolean): void {
  isMuted = muted;
  change();
}

/** Resumes a shift after a reload, at the first touch, which unlocks the sound. */
function resume(): void {
  if (!isOn) return;
  if (isSoundLocked()) void unlockSound();
  void keepAwake();
}

async function keepAwake(): Promise<void> {
  awake ??= keepScreenAwake(change);
  await awake.ask();
  change();
}

function read(): Shift {
  const sound = isMuted ? 'muted' : isSoundLocked() ? 'locked' : 'ready';
  return { isOn, startedAt, sound, isScreenAwake: awake?.isAwake() ?? false };
}

function change(): void {
  const next = read();
  const shift = shifts.read();
  if (
    next.isOn === shift.isOn &&
    next.startedAt === shift.startedAt &&
    next.sound === shift.sound &&
    next.isScreenAwake === shift.isScreenAwake
  )
    return;
  shifts.set(next);
}

onSoundChange(change);
document.addEventListener('pointerdown', resume);
document.addEventListener('keydown', resume);
