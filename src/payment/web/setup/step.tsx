import type { ReactNode } from 'react';
import { m } from '#messages';
import { Icon } from '#ui/web/office/icon.tsx';
import type { IconName } from '#ui/web/icons.ts';
import classes from '#payment/web/setup/setup.module.css';

export type StepState = 'done' | 'todo' | 'wait' | 'bad';

const marks: Record<StepState, IconName> = { done: 'check', todo: 'chevronRight', wait: 'clock', bad: 'warning' };
const stateWords: Record<StepState, () => string> = {
  done: () => m.payment_setup_state_done(),
  todo: () => m.payment_setup_state_todo(),
  wait: () => m.payment_setup_state_wait(),
  bad: () => m.payment_setup_state_bad(),
};

/** One line of the list; its buttons are the children. */
export function Step(props: { state: StepState; title: string; text: ReactNode; children?: ReactNode }) {
  const { state, title, text, children } = props;
  return (
    <li className={classes.step} data-state={state}>
      <span className={classes.mark} role="img" aria-label={stateWords[state]()}>
        <Icon name={marks[state]} />
      </span>
      <div>
        <h2>{title}</h2>
        <p>{text}</p>
      </div>
      <div className={classes.acts}>{children}</div>
    </li>
  );
}
