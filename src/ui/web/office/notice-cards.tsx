import { Button } from '@mantine/core';
import { type NotificationData, Notifications, notifications } from '@mantine/notifications';
import { type CSSProperties, useEffect, useSyncExternalStore } from 'react';
import { m } from '#messages';
import { dismissNotice, type Notice, notices, noticeTimeoutMs } from '#ui/web/notify.ts';
import classes from '#ui/web/office/notices.module.css';
import { noticeSpaceAtTop } from '#ui/web/office/notice-placement.ts';

export function NoticeCards() {
  const room = useSyncExternalStore(noticeSpaceAtTop.subscribe, noticeSpaceAtTop.read);
  useEffect(() => {
    showSaid();
    return notices.subscribe(showSaid);
  }, []);
  return (
    <Notifications
      position={room === null ? 'bottom-center' : 'top-center'}
      withinPortal={false}
      autoClose={noticeTimeoutMs}
      transitionDuration={0}
      containerWidth="36rem"
      // Long texts are shown in full.
      notificationMaxHeight={1000}
      zIndex={500}
      classNames={{ root: classes.stack ?? '', notification: classes.card ?? '' }}
      // The style sheet uses the variable `--room`. React's types do not allow variables.
      style={{ '--room': `${room ?? 0}px` } as CSSProperties}
    />
  );
}

/** The shown notices by the library's ids. A notice that replaces another with the same id gets a new library id. */
const shown = new Map<string, Notice>();
let lastName = 0;

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
    // At the top of the screen the latest notice comes first, because the top may lack room for all.
    priority: noticeSpaceAtTop.read() === null ? 0 : lastName,
    // The container announces the notices. With the role `alert`, each notice would also interrupt the screen reader.
    role: 'group',
    'data-tone': tone,
    classNames: { description: classes.words ?? '', closeButton: classes.close ?? '' },
    closeButtonProps: { 'aria-label': m.platform_dismiss(), iconSize: 20 },
    autoClose: stays ? false : noticeTimeoutMs,
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
  // The library pauses the timeout of a hovered notice; these handlers pause it for a focused one.
  return {
    ...base,
    onFocus: () => void notifications.update({ ...base, autoClose: false }),
    onBlur: () => void notifications.update(base),
  };
}
