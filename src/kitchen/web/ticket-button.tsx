import type { ComponentProps } from 'react';
import classes from '#kitchen/web/ticket-button.module.css';

interface TicketButtonProps extends Omit<ComponentProps<'button'>, 'type' | 'className'> {
  /** `step`: what comes next; `quiet`: an icon alone, without a border. */
  look?: 'step' | 'yes' | 'no' | 'stop' | 'plain' | 'quiet';
}

/** A button on a ticket, the browser's own: a busy evening has a thousand of them on one screen. */
export function TicketButton({ look = 'plain', ...rest }: TicketButtonProps) {
  return <button type="button" className={classes.button} data-look={look} {...rest} />;
}
