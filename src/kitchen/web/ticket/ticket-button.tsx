import type { ComponentProps } from 'react';
import classes from '#kitchen/web/ticket/ticket-button.module.css';

interface TicketButtonProps extends Omit<ComponentProps<'button'>, 'type' | 'className'> {
  /** `step`: the order's next step; `quiet`: only an icon, without a border. */
  look?: 'step' | 'yes' | 'no' | 'stop' | 'plain' | 'quiet';
}

/** A button on a ticket: a plain `button` element, because a busy evening has a thousand of them on one screen. */
export function TicketButton({ look = 'plain', ...rest }: TicketButtonProps) {
  return <button type="button" className={classes.button} data-look={look} {...rest} />;
}
