import type { ReactNode } from 'react';
import classes from '#kitchen/web/board/banner.module.css';
import type { IconName } from '#ui/web/icons.ts';
import { Icon } from '#ui/web/office/icon.tsx';

/** A line above the tickets; `bad` needs a person's attention, `test` says that something is not real. */
export function Banner({
  icon,
  tone = 'plain',
  children,
}: {
  icon: IconName;
  tone?: 'plain' | 'bad' | 'test';
  children: ReactNode;
}) {
  return (
    <div className={classes.banner} data-tone={tone} aria-live="polite">
      <Icon name={icon} />
      {children}
    </div>
  );
}
