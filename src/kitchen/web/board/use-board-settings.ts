import { useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { boardLanes, laneColumns, type LaneColumns, type LaneShares } from '#kitchen/board-layout.ts';
import { readStored, writeStored } from '#platform/web/stored-values.ts';

export const textSizes = ['small', 'medium', 'large'] as const;

/** The settings of this tablet's board. */
export interface BoardSettings {
  text: (typeof textSizes)[number];
}

const storageKey = 'kitchen_board';
const usual: BoardSettings = { text: 'medium' };
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
  const stored = readStored(storageKey);
  if (typeof stored !== 'object' || stored === null) return usual;
  const text = textSizes.find((size) => 'text' in stored && stored.text === size);
  return { text: text ?? usual.text };
}

/** The narrowest ticket in em of its text: the smaller the text, the wider its buttons in em. */
const leastTicket: Record<BoardSettings['text'], number> = { small: 12.5, medium: 15.5, large: 11.5 };
/** In pixels: the gap between tickets, and a lane's name, scroll bar and padding. */
const GAP = 6;
const BESIDE = 46;

/** The columns of tickets in each lane, as many as the lanes' element has room for. */
export function useLaneColumns(shares: LaneShares): {
  lanes: (element: HTMLDivElement | null) => void;
  columns: LaneColumns;
} {
  const { text } = useBoardSettings();
  const [element, lanes] = useState<HTMLDivElement | null>(null);
  const [room, setRoom] = useState(1);
  const taken = boardLanes.reduce((sum, lane) => sum + (shares[lane] > 0 ? BESIDE : BESIDE - 12), 0);
  const hasReady = shares.ready > 0;
  useLayoutEffect(() => {
    if (!element) return undefined;
    const measure = (): void => {
      const em = Number.parseFloat(getComputedStyle(element).fontSize);
      // As wide as the style sheet makes a line.
      const line = hasReady ? 80 + 10 * em : 0;
      setRoom(Math.floor((element.clientWidth - taken - line + GAP) / (leastTicket[text] * em + GAP)));
    };
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    return () => watch.disconnect();
  }, [element, text, taken, hasReady]);
  return { lanes, columns: laneColumns(shares, room) };
}
