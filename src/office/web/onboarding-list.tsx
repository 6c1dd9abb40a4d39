import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'wouter';
import { m } from '#messages';
import { hasNoStepLeft, type OnboardingStepName, type OnboardingStepState } from '#office/onboarding.ts';
import classes from '#office/web/onboarding.module.css';
import { onboardingQuery, dismissOnboarding } from '#office/web/onboarding-query.ts';
import { api } from '#platform/web/api.ts';
import type { Store } from '#store/contract.ts';
import { Icon } from '#ui/web/office/office-icon.tsx';

interface StepRow {
  path: string;
  title: () => string;
  hints: Partial<Record<OnboardingStepState, () => string>>;
}

const rows: Record<OnboardingStepName, StepRow> = {
  details: { path: '/store/manage?section=contact', title: m.office_step_details, hints: {} },
  hours: {
    path: '/store/manage?section=hours',
    title: m.office_step_hours,
    hints: { check: m.office_step_hours_check },
  },
  menu: { path: '/admin/menuEditor', title: m.office_step_menu, hints: {} },
  payment: {
    path: '/admin/payments/setup',
    title: m.office_step_payment,
    hints: { check: m.office_step_payment_check, todo: m.office_step_payment_todo },
  },
  orders_heard: {
    path: '/admin/printers',
    title: m.office_step_orders_heard,
    hints: { todo: m.office_step_orders_heard_todo },
  },
  mail: { path: '/admin/mail', title: m.office_step_mail, hints: { todo: m.office_step_mail_todo } },
  second_factor: {
    path: '/kitchen/my-sign-in',
    title: m.office_step_second_factor,
    hints: { todo: m.office_step_second_factor_todo },
  },
  first_order: { path: '/menu', title: m.office_step_first_order, hints: { todo: m.office_step_first_order_todo } },
};

const stateWords: Record<OnboardingStepState, () => string> = {
  done: m.platform_step_done,
  check: m.office_step_check,
  todo: m.platform_step_todo,
};

const places: readonly OnboardingStepState[] = ['todo', 'check', 'done'];

const leftFirst = (a: { state: OnboardingStepState }, b: { state: OnboardingStepState }): number =>
  places.indexOf(a.state) - places.indexOf(b.state);

/** The owner's onboarding checklist: one line above the work until all steps are done or the owner hides it. */
export function OnboardingList({ store: { id } }: { store: Store }) {
  const { data } = useQuery(onboardingQuery(id));
  const [isOpen, setOpen] = useState(false);
  const isDone = data?.is_shown === true && hasNoStepLeft(data.steps);
  useEffect(() => {
    // The end is reported once. A failed call is repeated at the next visit.
    if (isDone) api('POST /v1/stores/{id}/first-evening', { id, is_shown: false }).catch(() => null);
  }, [id, isDone]);
  if (!data?.is_shown) return null;
  const left = data.steps.filter(({ state }) => state === 'todo').length;
  return (
    <section className={classes.list} aria-label={m.office_first_evening()}>
      <div className={classes.head}>
        <h2>{m.office_first_evening()}</h2>
        <p role="status">{isDone ? m.office_first_evening_ready() : m.office_first_evening_left({ count: left })}</p>
        {!isDone && (
          <Button variant="subtle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? m.office_first_evening_hide() : m.office_first_evening_show()}
          </Button>
        )}
        <Button variant="subtle" onClick={() => void dismissOnboarding(id)}>
          {m.office_first_evening_put_away()}
        </Button>
      </div>
      {!isDone && isOpen && (
        <ol>
          {data.steps.toSorted(leftFirst).map(({ name, state }) => (
            <Step key={name} row={rows[name]} state={state} />
          ))}
        </ol>
      )}
    </section>
  );
}

function Step({ row: { path, title, hints }, state }: { row: StepRow; state: OnboardingStepState }) {
  const hint = hints[state]?.();
  return (
    <li data-state={state}>
      <StepLink path={path}>
        <span className={classes.mark} role="img" aria-label={stateWords[state]()}>
          {state === 'check' ? '?' : <Icon name={state === 'done' ? 'check' : 'chevronRight'} size="1.125rem" />}
        </span>
        <span>
          {title()}
          {hint && <small>{hint}</small>}
        </span>
      </StepLink>
    </li>
  );
}

/** A link to the page of a step. The customers' menu is in another bundle, so the browser must load it. */
function StepLink({ path, children }: { path: string; children: ReactNode }) {
  return path === '/menu' ? <a href={path}>{children}</a> : <Link href={path}>{children}</Link>;
}
