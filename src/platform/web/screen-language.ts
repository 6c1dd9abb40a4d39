import { useSyncExternalStore } from 'react';
import { type BoardLanguage, defaultLanguage } from '#platform/languages.ts';
import { createExternalStore } from '#platform/web/external-store.ts';

type Message = (inputs: never) => string;
/** A language's messages by their index among the board's messages. */
export type ScreenWords = readonly Message[];

let words: ScreenWords = [];
const language = createExternalStore<BoardLanguage>(() => defaultLanguage);

export const currentLanguage = language.read;

/** A message of the board: English until another language's words are shown. */
export function boardMessage<English extends Message>(index: number, english: English): English {
  // The cast is right: every language's message takes the same inputs, which a test compares.
  return ((inputs: never) => (words[index] ?? english)(inputs)) as English;
}

/** Renders the component again when the language changes. */
export function useScreenLanguage(): BoardLanguage {
  return useSyncExternalStore(language.subscribe, language.read);
}

export function switchScreenLanguage(next: BoardLanguage, nextWords: ScreenWords): void {
  if (next === language.read()) return;
  words = nextWords;
  document.documentElement.lang = next;
  language.set(next);
}
