import { useSyncExternalStore } from 'react';
import { readStored, writeStored } from '#platform/web/stored-values.ts';

export const boardChoices = {
  text: ['small', 'medium', 'large'],
  /** By which time accepted orders are sorted. */
  sort: ['due', 'arrival'],
  /** The effect of a tap anywhere on a ticket. */
  tap: ['nothing', 'step'],
} as const;

export type BoardSettings = { [Choice in keyof typeof boardChoices]: (typeof boardChoices)[Choice][number] };

const storageKey = 'kitchen_board';
let settings = readSettings();
const listeners = new Set<() => void>();

export function useBoardSettings(): BoardSettings {
  return useSyncExternalStore(subscribe, () => settings);
}

export function changeBoardSettings(change: Partial<BoardSettings>): void {
  settings = { ...settings, ...change };
  writeStored(storageKey, settings);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function readSettings(): BoardSettings {
  const stored = Object(readStored(storageKey)) as Record<string, unknown>;
  const read = <Value>(values: readonly Value[], value: unknown, usual: Value): Value =>
    values.find((each) => each === value) ?? usual;
  return {
    text: read(boardChoices.text, stored['text'], 'medium'),
    sort: read(boardChoices.sort, stored['sort'], 'due'),
    tap: read(boardChoices.tap, stored['tap'], 'nothing'),
  };
}
