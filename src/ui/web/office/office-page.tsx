import type { ReactNode } from 'react';
import '#ui/web/office/mantine-more.ts';
import classes from '#ui/web/office/office-page.module.css';

interface PageProps {
  title: string;
  /** What the page is about, where its title alone does not say. */
  hint?: ReactNode;
  /** The page's own buttons, beside its title. */
  actions?: ReactNode;
  children: ReactNode;
  /** Takes the whole width, for trees and boards; otherwise lines stay readable. */
  isWide?: boolean;
}

/** The frame of an office page: a heading, its buttons, and content that scrolls. Names the browser's tab. */
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
