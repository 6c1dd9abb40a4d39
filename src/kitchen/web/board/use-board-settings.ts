import { useEffect, useSyncExternalStore } from 'react';
import { boardLanguages, defaultLanguage } from '#platform/languages.ts';
import { keysOf } from '#platform/keys-of.ts';
import { switchScreenLanguage } from '#platform/web/screen-language.ts';
import { readStored, writeStored } from '#platform/web/stored-values.ts';

export const boardSettingValues = {
  text: ['small', 'medium', 'large'],
  /** Accepted orders are sorted by their due time, or by the time of the order. */
  sort: ['due', 'arrival'],
  /** The effect of a tap anywhere on a ticket. */
  tap: ['nothing', 'step'],
  language: keysOf(boardLanguages),
} as const;

export type BoardSettings = {
  [Choice in keyof typeof boardSettingValues]: (typeof boardSettingValues)[Choice][number];
};

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

/** The delay before a language's messages that failed to load are requested again (ms). */
const retryAfter = 10_000;

/**
 * Shows the board in the language of its settings, once that language's messages are loaded. Other pages are in
 * English.
 */
export function useBoardLanguage(isBoard: boolean): void {
  const { language } = useBoardSettings();
  useEffect(() => {
    const wanted = isBoard ? language : defaultLanguage;
    if (wanted === defaultLanguage) return switchScreenLanguage(wanted, []);
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const load = async (): Promise<void> => {
      try {
        const { fetchScreenWords } = await import('#platform/web/fetch-screen-words.ts');
        const words = await fetchScreenWords(wanted);
        if (!isOver) switchScreenLanguage(wanted, words);
      } catch {
        if (!isOver) timer = setTimeout(() => void load(), retryAfter);
      }
    };
    void load();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [isBoard, language]);
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
    text: read(boardSettingValues.text, stored['text'], 'medium'),
    sort: read(boardSettingValues.sort, stored['sort'], 'due'),
    tap: read(boardSettingValues.tap, stored['tap'], 'nothing'),
    language: read(boardSettingValues.language, stored['language'], defaultLanguage),
  };
}
