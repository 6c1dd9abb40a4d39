import { Button } from '@mantine/core';
import { type NotificationData, Notifications, notifications } from '@mantine/notifications';
import { type CSSProperties, useEffect, useSyncExternalStore } from 'react';
import { m } from '#messages';
import { makeStore } from '#platform/web/store.ts';
import { dismissNotice, type Notice, notices, noticeTimeout } from '#ui/web/notify.ts';
import classes from '#ui/web/office/notices.module.css';

/** How far down from the top of the page they may reach; null: they stand at its bottom. */
const roomAtTop = makeStore<number | null>(() => null);

/** The place where notices appear; once on a page. */
export function Notices() {
  const room = useSyncExternalStore(roomAtTop.subscribe, roomAtTop.read);
  useEffect(() => {
    showSaid();
    return notices.subscribe(showSaid);
  }, []);
  return (
    <div aria-live="polite" data-notices>
      <Notifications
        position={room === null ? 'bottom-center' : 'top-center'}
        withinPortal={false}
        autoClose={noticeTimeout}
        transitionDuration={0}
        containerWidth="36rem"
        // Long reasons are read whole.
        notificationMaxHeight={1000}
        zIndex={500}
        classNames={{ root: classes.stack ?? '', notification: classes.card ?? '' }}
        // A variable of the stylesheet beside, which React's types do not know.
        style={{ '--room': `${room ?? 0}px` } as CSSProperties}
      />
    </div>
  );
}

/** What the library shows, by the name that it has there: what is said anew under the same id is another to it. */
const shown = new Map<string, Notice>();
let lastName = 0;

/** Shows what is said by now, and no longer what was taken back. */
function showSaid(): void {
  const said = notices.read();
  for (const [name, notice] of shown) {
    if (said.includes(notice)) continue;
    shown.delete(name);
    notifications.hide(name);
  }
  for (const notice of said) {
    if ([...shown.values()].includes(notice)) continue;
    lastName += 1;
    const name = String(lastName);
    shown.set(name, notice);
    notifications.show(toNotification(name, notice));
  }
}

function toNotification(name: string, notice: Notice): NotificationData {
  const { id, text, tone, action, stays } = notice;
  const base: NotificationData = {
    id: name,
    // Where there may be no room for all of them the latest comes first.
    priority: roomAtTop.read() === null ? 0 : lastName,
    // The place around them says it; as alerts they would be said over what is being said.
    role: 'group',
    'data-tone': tone,
    classNames: { description: classes.words ?? '', closeButton: classes.close ?? '' },
    closeButtonProps: { 'aria-label': m.platform_dismiss(), iconSize: 20 },
    autoClose: stays ? false : noticeTimeout,
    onClose: () => {
      if (shown.delete(name)) dismissNotice(id);
    },
    message: (
      <>
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
      </>
    ),
  };
  // The library holds it while it is pointed at; one that has the focus is read or about to be answered as well.
  return {
    ...base,
    onFocus: () => void notifications.update({ ...base, autoClose: false }),
    onBlur: () => void notifications.update(base),
  };
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
