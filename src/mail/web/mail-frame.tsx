import { type SyntheticEvent, useState } from 'react';
import { m } from '#messages';
import classes from '#mail/web/mail.module.css';

/** A mail as a mail program shows it. Nothing in it runs, and its links lead nowhere. `width` is in pixels. */
export function MailFrame({ html, subject, width }: { html: string; subject: string; width?: number }) {
  const [height, setHeight] = useState(600);
  const measure = ({ currentTarget }: SyntheticEvent<HTMLIFrameElement>) =>
    setHeight(currentTarget.contentDocument?.documentElement.scrollHeight ?? 600);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scroller must be reached by key
    <div className={classes.scroller} role="region" aria-label={m.mail_scroller()} tabIndex={0}>
      <iframe
        // Another width has another height: it is measured again.
        key={width}
        className={classes.frame}
        title={m.mail_frame({ subject })}
        // Without scripts, the same origin only lets this page measure it.
        sandbox="allow-same-origin"
        srcDoc={html}
        onLoad={measure}
        style={{ height, ...(width !== undefined && { width }) }}
      />
    </div>
  );
}
