import { useCallback, useEffect, useRef, useState } from 'react';
import type { OrdersByStage, BoardLayout } from '#kitchen/board-layout.ts';
import { blockTapsUntilRead } from '#kitchen/web/board/use-column-fit.ts';

const storageKey = 'kitchen_keys';

export interface BoardKeys {
  areOn: boolean;
  toggle: () => void;
}

/**
 * Controls the board by a keyboard or a bump bar. The cursor is the focus on a ticket's next step, so that Enter works.
 * The keys can be switched off, as accessibility requires of single-key shortcuts.
 */
export function useBoardKeys(isOnAtFirst: boolean, columns: OrdersByStage, layout: BoardLayout): BoardKeys {
  const [areOn, setOn] = useState(() => (localStorage.getItem(storageKey) ?? (isOnAtFirst ? 'on' : 'off')) === 'on');
  const toggle = useCallback(() => {
    setOn((on) => {
      localStorage.setItem(storageKey, on ? 'off' : 'on');
      return !on;
    });
  }, []);
  const place = useRef<{ column: string; index: number } | null>(null);

  useEffect(() => {
    if (!areOn) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || isCovered()) return;
      if (press(event.key)) event.preventDefault();
      place.current = placeOf(document.activeElement);
    };
    const forget = (): void => {
      place.current = null;
    };
    document.addEventListener('keydown', onKey);
    document.addEventListener('pointerdown', forget);
    return () => {
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('pointerdown', forget);
    };
  }, [areOn]);

  useEffect(() => {
    // The order under the cursor was removed from its column. The cursor moves to the next order. That order's ticket
    // ignores keys until staff have had time to read the ticket.
    if (place.current && document.activeElement === document.body) {
      focusOpen(place.current.column, place.current.index);
      blockTapsUntilRead(document.activeElement?.closest<HTMLElement>('[data-ticket]') ?? null);
    }
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- runs when orders move, and reads none of them
  }, [columns, layout]);
  return { areOn, toggle };
}

type Place = ReturnType<typeof placeOf>;

/** The function of each key. A function returns whether it handled the key. */
const keyWork: Readonly<Record<string, (here: Place) => boolean>> = {
  ArrowDown: (here) => focusTicket(here?.column ?? null, (here?.index ?? -1) + 1),
  ArrowUp: (here) => focusTicket(here?.column ?? null, Math.max(0, (here?.index ?? 0) - 1)),
  ArrowRight: (here) => focusColumn(here?.column ?? null, 1),
  ArrowLeft: (here) => focusColumn(here?.column ?? null, -1),
  '+': () => click('[data-minutes="more"]'),
  '=': () => click('[data-minutes="more"]'),
  '-': () => click('[data-minutes="less"]'),
  r: () => click('[data-reject]'),
  o: () => click('[data-details]'),
  s: () => clickAnywhere('[data-acknowledge]'),
  u: () => clickAnywhere('[data-notices] [data-action]'),
};

function press(key: string): boolean {
  const here = placeOf(document.activeElement);
  if (/^[0-9]$/.test(key)) return focusTicket(here?.column ?? null, key === '0' ? 9 : Number(key) - 1);
  return Object.hasOwn(keyWork, key) && (keyWork[key]?.(here) ?? false);
}

function lists(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('[data-column]')];
}

function tickets(column: Element): HTMLElement[] {
  return [...column.querySelectorAll<HTMLElement>('[data-ticket]')];
}

function placeOf(element: Element | null): { column: string; index: number } | null {
  const ticket = element?.closest<HTMLElement>('[data-ticket]');
  const column = ticket?.closest<HTMLElement>('[data-column]');
  if (!ticket || !column) return null;
  return { column: column.dataset['column'] ?? '', index: tickets(column).indexOf(ticket) };
}

function focusTicket(columnName: string | null, index: number): boolean {
  const column = lists().find((each) => each.dataset['column'] === columnName) ?? lists()[0];
  const list = column ? tickets(column) : [];
  const ticket = list[Math.min(index, list.length - 1)];
  const target =
    ticket?.querySelector<HTMLElement>('[data-step]') ?? ticket?.querySelector<HTMLElement>('[data-details]');
  target?.focus();
  ticket?.scrollIntoView({ block: 'nearest' });
  return target !== undefined;
}

/**
 * Focuses the ticket at this index of the column, or the next one, or else the last one before it. Tickets whose order
 * has left are skipped.
 */
function focusOpen(columnName: string, index: number): void {
  const column = lists().find((each) => each.dataset['column'] === columnName);
  const all = column ? tickets(column) : [];
  const isOpen = (ticket: HTMLElement): boolean => ticket.dataset['moved'] === undefined;
  const next = all.slice(index).find(isOpen) ?? all.slice(0, index).findLast(isOpen);
  focusTicket(columnName, next ? all.indexOf(next) : index);
}

function focusColumn(from: string | null, by: number): boolean {
  const filled = lists().filter((column) => tickets(column).length > 0);
  const at = filled.findIndex((column) => column.dataset['column'] === from);
  const next = filled[Math.max(0, Math.min(filled.length - 1, at + by))];
  return next ? focusTicket(next.dataset['column'] ?? null, 0) : false;
}

function click(selector: string): boolean {
  const button = document.activeElement?.closest('[data-ticket]')?.querySelector<HTMLElement>(selector);
  button?.click();
  return button !== null && button !== undefined;
}

function clickAnywhere(selector: string): boolean {
  const button = document.querySelector<HTMLElement>(selector);
  button?.click();
  return button !== null;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))
  );
}

function isCovered(): boolean {
  return document.querySelector('[role="dialog"], [role="menu"]') !== null;
}
