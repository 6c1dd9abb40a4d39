import type { ReactNode } from 'react';
import { m } from '#messages';
import { Icon } from '#ui/web/office/office-icon.tsx';
import type { IconName } from '#ui/web/icons.ts';
import classes from '#ui/web/office/step.module.css';

export type StepState = 'done' | 'todo' | 'wait' | 'bad';

const marks: Record<StepState, IconName> = { done: 'check', todo: 'chevronRight', wait: 'clock', bad: 'warning' };
const stateWords: Record<StepState, () => string> = {
  done: () => m.platform_step_done(),
  todo: () => m.platform_step_todo(),
  wait: () => m.platform_step_wait(),
  bad: () => m.platform_step_bad(),
};

export function Steps({ children }: { children: ReactNode }) {
  return <ol className={classes.steps}>{children}</ol>;
}

interface StepProps {
  state: StepState;
  title: string;
  text: ReactNode;
  /** The level of the step's heading: one below the heading that precedes the list of steps. */
  heading?: 'h2' | 'h3';
  children?: ReactNode;
  /** Fields and other content with the full width, below the text. */
  below?: ReactNode;
}

/** A set-up step with its state; the children are its buttons. */
export function Step({ state, title, text, heading: Heading = 'h2', children, below }: StepProps) {
  return (
    <li className={classes.step} data-state={state}>
      <span className={classes.mark} role="img" aria-label={stateWords[state]()}>
        <Icon name={marks[state]} />
      </span>
      <div>
        <Heading>{title}</Heading>
        <p>{text}</p>
      </div>
      <div className={classes.acts}>{children}</div>
      {below && <div className={classes.below}>{below}</div>}
    </li>
  );
}
