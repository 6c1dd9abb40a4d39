import type { ReactNode } from 'react';
import classes from '#kitchen/web/board/banner.module.css';
import type { IconName } from '#ui/web/icons.ts';
import { Icon } from '#ui/web/office/icon.tsx';

/** A message below the tickets, with its buttons; `bad` needs a person's attention, `test` says that something is not real. */
export function Banner({
  icon,
  tone = 'plain',
  buttons,
  isAsking,
  children,
}: {
  icon: IconName;
  tone?: 'plain' | 'bad' | 'test';
  buttons?: ReactNode;
  /** It waits for an answer, so it is shown before all but the alarm. */
  isAsking?: boolean;
  children: ReactNode;
}) {
  return (
    <div className={classes.banner} data-tone={tone} data-asks={isAsking || undefined} aria-live="polite">
      <Icon name={icon} />
      <div className={classes.words} data-words>
        {children}
      </div>
      {buttons}
    </div>
  );
}
