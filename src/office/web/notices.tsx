import { Button, CloseButton } from '@mantine/core';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { m } from '#messages';
import classes from '#office/web/notices.module.css';

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
let notices: readonly Notice[] = [];
const listeners = new Set<() => void>();

/** Says something in passing, to eyes and ears. */
export function notify(notice: Omit<Notice, 'id'> & { id?: string }): void {
  const id = notice.id ?? String(Math.random());
  change([...notices.filter((other) => other.id !== id).slice(-3), { ...notice, id }]);
}

export function dismissNotice(id: string): void {
  if (notices.some((notice) => notice.id === id)) change(notices.filter((notice) => notice.id !== id));
}

/** The place where notices appear; once on a page. */
export function Notices() {
  const shown = useSyncExternalStore(subscribe, () => notices);
  return (
    <div className={classes.stack} aria-live="polite" data-notices>
      {shown.map((notice) => (
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

/** Keeps the notices above something that stands at the bottom of the page: give it as that element's ref. */
export function noticesAbove(element: HTMLElement | null): (() => void) | undefined {
  if (!element) return undefined;
  const observer = new ResizeObserver(() => {
    document.documentElement.style.setProperty('--notices-above', `${element.offsetHeight}px`);
  });
  observer.observe(element);
  return () => {
    observer.disconnect();
    document.documentElement.style.removeProperty('--notices-above');
  };
}

function change(next: readonly Notice[]): void {
  notices = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
