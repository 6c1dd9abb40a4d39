import { Button, CloseButton } from '@mantine/core';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { m } from '#messages';
import classes from '#ui/web/office/notices.module.css';

export interface Notice {
  /** Showing another notice with the same id replaces it. */
  id: string;
  text: string;
  tone?: 'plain' | 'bad';
  action?: { label: string; run: () => void };
  /** Stays until somebody dismisses it: for what must not be missed. */
  stays?: boolean;
}

/** How long a notice stays, unless it is pointed at or focused. */
const NOTICE_TIMEOUT = 5000;
interface State {
  notices: readonly Notice[];
  /** How far down from the top of the page they may reach; null: they stand at its bottom. */
  room: number | null;
}
let state: State = { notices: [], room: null };
const listeners = new Set<() => void>();

/** Says something in passing, to eyes and ears. */
export function notify(notice: Omit<Notice, 'id'> & { id?: string }): void {
  const id = notice.id ?? String(Math.random());
  change({ notices: [...state.notices.filter((other) => other.id !== id).slice(-3), { ...notice, id }] });
}

export function dismissNotice(id: string): void {
  if (state.notices.some((notice) => notice.id === id))
    change({ notices: state.notices.filter((notice) => notice.id !== id) });
}

/** The place where notices appear; once on a page. */
export function Notices() {
  const { notices: shown, room } = useSyncExternalStore(subscribe, () => state);
  const isAtTop = room !== null;
  return (
    <div
      className={classes.stack}
      style={isAtTop ? { maxHeight: room } : undefined}
      aria-live="polite"
      data-notices={isAtTop ? 'top' : 'bottom'}
    >
      {/* Where there may be no room for all of them the latest comes first. */}
      {(isAtTop ? shown.toReversed() : shown).map((notice) => (
        <NoticeCard key={notice.id} notice={notice} />
      ))}
    </div>
  );
}

function NoticeCard({ notice }: { notice: Notice }) {
  const { id, text, tone = 'plain', action, stays } = notice;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const hold = (): void => clearTimeout(timer.current);
  const start = (): void => {
    hold();
    if (!stays) timer.current = setTimeout(() => dismissNotice(id), NOTICE_TIMEOUT);
  };
  useEffect(() => {
    start();
    return hold;
    // oxlint-disable-next-line react/exhaustive-deps -- only another notice starts the time again
  }, [notice]);
  return (
    <div
      className={classes.card}
      data-tone={tone}
      onMouseEnter={hold}
      onMouseLeave={start}
      onFocus={hold}
      onBlur={start}
    >
      <p>{text}</p>
      {action && (
        <Button
          variant="white"
          className={classes.action}
          data-action
          onClick={() => {
            dismissNotice(id);
            action.run();
          }}
        >
          {action.label}
        </Button>
      )}
      <CloseButton
        className={classes.close}
        variant="transparent"
        aria-label={m.platform_dismiss()}
        onClick={() => dismissNotice(id)}
      />
    </div>
  );
}

/**
 * Shows the notices at the top of the page and no lower than this element ends, for a page whose next steps are below
 * it: give it as that element's ref.
 */
export function noticesOver(element: HTMLElement | null): (() => void) | undefined {
  if (!element) return undefined;
  const observer = new ResizeObserver(() => {
    change({ room: Math.round(element.getBoundingClientRect().bottom) });
  });
  observer.observe(element);
  // What stands above it may take another line.
  observer.observe(document.body);
  return () => {
    observer.disconnect();
    change({ room: null });
  };
}

function change(next: Partial<State>): void {
  state = { ...state, ...next };
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
