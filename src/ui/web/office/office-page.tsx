import type { ReactNode } from 'react';
import '#ui/web/office/mantine-more.ts';
import classes from '#ui/web/office/office-page.module.css';

interface PageProps {
  title: string;
  /** The subject of the page, if its title alone does not say it. */
  hint?: ReactNode;
  /** The page's own buttons, beside its title. */
  actions?: ReactNode;
  children: ReactNode;
  /** Takes the whole width, for trees and boards; otherwise the width is limited so that lines stay readable. */
  isWide?: boolean;
}

/** The frame of an office page: a heading, its buttons, and scrolling content. Sets the browser tab's title. */
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
