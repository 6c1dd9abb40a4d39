import { Alert, Button, Group } from '@mantine/core';
import type { KeyboardEvent, ReactNode, RefObject } from 'react';
import { Link, useLocation } from 'wouter';
import { m } from '#messages';
import { type OnboardingStepName, onboardingStepNames } from '#office/onboarding.ts';
import classes from '#office/web/guided-set-up/guided-set-up.module.css';
import { stepWords, useOnboarding } from '#office/web/guided-set-up/steps.ts';
import type { StoreField } from '#store/store-changes.ts';
import { useSettingsForm } from '#store/web/manage/settings-section.tsx';
import { moveNoticesToTop } from '#ui/web/office/notice-placement.ts';

/**
 * Focuses the step's title when it appears, so that screen readers read it. As a ref callback it must stay the same
 * function, because React would call a new function at each render.
 */
export const focusTitle = (title: HTMLElement | null): void => title?.focus();

interface FrameProps {
  name: OnboardingStepName;
  children?: ReactNode;
  /** The label of the main button; missing: "Save and go on". */
  action?: string;
  /** The main button's action; if missing, the step has no main button. */
  onSubmit?: (() => Promise<void>) | undefined;
  isBusy?: boolean;
  failure?: string | null;
  form?: RefObject<HTMLFormElement | null>;
  canWait?: boolean;
  /** Whether this device has unsaved input. */
  isUnsaved?: boolean;
}

/** The frame of a step: its number, purpose, duration, fields, and the buttons that continue. */
export function SetUpStepFrame({
  name,
  children,
  action = m.office_setup_go_on(),
  onSubmit,
  isBusy = false,
  failure = null,
  form,
  canWait = true,
  isUnsaved = false,
}: FrameProps) {
  const { goOn } = useOnboarding();
  const { title, why, minutes } = stepWords[name];
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- key events bubble from the fields
    <form
      ref={form}
      noValidate
      className={classes.step}
      aria-label={title()}
      onKeyDown={goToNextField}
      onSubmit={(event) => {
        event.preventDefault();
        void onSubmit?.();
      }}
    >
      <header ref={moveNoticesToTop}>
        <p className={classes.place}>
          {m.office_setup_place({
            at: onboardingStepNames.indexOf(name) + 1,
            all: onboardingStepNames.length,
            minutes,
          })}
        </p>
        <h2 ref={focusTitle} tabIndex={-1}>
          {title()}
        </h2>
        <p>{why()}</p>
      </header>
      {children}
      {failure !== null && (
        <Alert color="bad" variant="light" role="alert">
          {failure}
        </Alert>
      )}
      <Group className={classes.bar}>
        {isUnsaved && <p className={classes.unsaved}>{m.office_setup_unsaved()}</p>}
        {onSubmit && (
          <Button type="submit" loading={isBusy}>
            {action}
          </Button>
        )}
        {canWait && (
          <Button variant="subtle" onClick={goOn}>
            {m.office_setup_later()}
          </Button>
        )}
      </Group>
    </form>
  );
}

/** Enter moves to the next field instead of submitting, so that nobody leaves a step before its last question. */
function goToNextField(event: KeyboardEvent<HTMLFormElement>): void {
  const { target: field, currentTarget: form } = event;
  if (event.key !== 'Enter' || !(field instanceof HTMLInputElement) || ['checkbox', 'radio'].includes(field.type))
    return;
  event.preventDefault();
  const all = [...form.querySelectorAll<HTMLElement>('input, button[type="submit"]')];
  all
    .slice(all.indexOf(field) + 1)
    .find((next) => next.checkVisibility())
    ?.focus();
}

interface SettingsStepProps extends Pick<FrameProps, 'name' | 'children' | 'action'> {
  fields: readonly StoreField[];
  /**
   * Prepares the draft before the step's fields are saved. If it returns false, nothing is saved and the step stays
   * open.
   */
  prepare?: () => boolean | Promise<boolean>;
}

/** A step whose fields are settings of the store. Saving them also confirms the step. */
export function StoreSettingsStep({ name, fields, prepare, ...rest }: SettingsStepProps) {
  const { draft, settle } = useOnboarding();
  const { form, submit } = useSettingsForm(draft, fields);
  return (
    <SetUpStepFrame
      {...rest}
      name={name}
      form={form}
      isBusy={draft.isSaving}
      failure={draft.failure}
      isUnsaved={draft.isChanged(fields)}
      onSubmit={async () => {
        if (prepare && !(await prepare())) return;
        if (await submit()) await settle(name);
      }}
    />
  );
}

interface SavingLinkProps {
  to: string;
  /** The fields that the linked page can edit. */
  fields: readonly StoreField[];
  children: ReactNode;
}

/** A link to a page that edits `fields`. A click saves them first, so that the page shows their current values. */
export function SavingLink({ to, fields, children }: SavingLinkProps) {
  const { draft } = useOnboarding();
  const [, go] = useLocation();
  const saveAndGo = async (): Promise<void> => {
    if (await draft.save(fields)) go(to);
  };
  return (
    <Link
      href={to}
      onClick={(event) => {
        if (!draft.isChanged(fields)) return;
        event.preventDefault();
        void saveAndGo();
      }}
    >
      {children}
    </Link>
  );
}
