import type { ReactNode } from 'react';
import '#ui/web/office/mantine-deferred-styles.ts';
import classes from '#ui/web/office/office-page.module.css';
import sideBySideClasses from '#ui/web/office/side-by-side.module.css';
import { Button } from '@mantine/core';
import badgeClasses from '#ui/web/office/badge.module.css';

interface PageProps {
  title: string;
  /** A sentence about the page, if its title alone is unclear. */
  hint?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  /**
   * Whether the page uses the full width, for example for a tree or a board. Other pages have a limited width, so that
   * lines of text stay readable.
   */
  isWide?: boolean;
}

/** The frame of an office page: heading, buttons, and scrolling content. It sets the browser tab's title. */
export function OfficePage({ title, hint, actions, children, isWide = false }: PageProps) {
  return (
    <div className={classes.scroller} data-page>
      <title>{title}</title>
      <div className={classes.page} data-wide={isWide || undefined}>
        <header className={classes.head}>
          <div>
            <h1>{title}</h1>
            {hint && <p>{hint}</p>}
          </div>
          {actions && <div className={classes.actions}>{actions}</div>}
        </header>
        {children}
      </div>
    </div>
  );
}

/**
 * Fields side by side, whose inputs are aligned even if their labels differ in height. `cols`: a fixed number of
 * columns, even on narrow screens.
 */
export function FieldColumns({ cols, children }: { cols?: 2; children: ReactNode }) {
  return (
    <div className={sideBySideClasses.fields} data-cols={cols}>
      {children}
    </div>
  );
}

export function NewTabLink({ to, isMain = false, children }: { to: string; isMain?: boolean; children: ReactNode }) {
  return (
    <Button component="a" href={to} target="_blank" rel="noreferrer" variant={isMain ? 'filled' : 'default'}>
      {children} ↗
    </Button>
  );
}

export type BadgeTone = 'good' | 'warn' | 'bad';

/** A status in one or two words; null: the status is neither good nor bad. */
export function Badge({ tone, children }: { tone: BadgeTone | null; children: string }) {
  return (
    <span className={badgeClasses.badge} data-tone={tone ?? undefined}>
      {children}
    </span>
  );
}
