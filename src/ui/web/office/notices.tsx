import { Button, CloseButton } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { m } from '#messages';
import { makeStore } from '#platform/web/store.ts';
import { useNoticeTime } from '#ui/web/notice-time.ts';
import { dismissNotice, type Notice, notices } from '#ui/web/notify.ts';
import classes from '#ui/web/office/notices.module.css';

/** How far down from the top of the page they may reach; null: they stand at its bottom. */
const roomAtTop = makeStore<number | null>(() => null);

/** The place where notices appear; once on a page. */
export function Notices() {
  const shown = useSyncExternalStore(notices.subscribe, notices.read);
  const room = useSyncExternalStore(roomAtTop.subscribe, roomAtTop.read);
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
  const { id, text, tone, action } = notice;
  return (
    <div className={classes.card} data-tone={tone} {...useNoticeTime(notice)}>
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
    roomAtTop.set(Math.round(element.getBoundingClientRect().bottom));
  });
  observer.observe(element);
  // What stands above it may take another line.
  observer.observe(document.body);
  return () => {
    observer.disconnect();
    roomAtTop.set(null);
  };
}
