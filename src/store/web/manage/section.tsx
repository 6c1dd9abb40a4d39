import { Alert, Button } from '@mantine/core';
import { Fragment, type ReactNode, useEffect, useRef, useState } from 'react';
import { m } from '#messages';
import classes from '#store/web/manage/section.module.css';
import type { StoreDraft } from '#store/web/manage/use-store-draft.ts';
import type { Field } from '#store/store-changes.ts';

const noFields: readonly Field[] = [];

interface SectionProps {
  draft: StoreDraft;
  /** The settings that this section saves; left out if it only shows something, or acts immediately. */
  fields?: readonly Field[];
  title: string;
  hint?: ReactNode;
  children: ReactNode;
}

/** One section of the settings, with its own save button. Errors are beside their fields; the first one is focused. */
export function Section({ draft, fields = noFields, title, hint, children }: SectionProps) {
  const form = useRef<HTMLFormElement>(null);
  const isChanged = draft.isChanged(fields);
  const { refusals } = draft;
  // Discarding resets the fields, including invalid text in them.
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (refusals > 0) firstWrong(form.current)?.focus();
  }, [refusals]);

  const submit = async (): Promise<void> => {
    // An invalid text did not change the draft; the server's error for another field may be corrected by now.
    const unread = allWrong(form.current).filter(
      ({ name, dataset }) => 'unreadable' in dataset || !draft.errorAt(name),
    );
    const [first] = unread;
    if (!first) return draft.save(fields);
    first.focus();
    // All errors are shown together: the server refuses the invalid texts with the rest.
    const ofFields = unread.flatMap(({ name, value }) =>
      fields.filter((field) => field === name).map((field) => [field, value]),
    );
    if (ofFields.length === unread.length) await draft.save(fields, Object.fromEntries(ofFields));
  };

  return (
    <form
      ref={form}
      noValidate
      className={classes.section}
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <header>
        <h2>{title}</h2>
        {hint && <p>{hint}</p>}
      </header>
      <Fragment key={round}>{children}</Fragment>
      {fields.length > 0 && (
        <footer className={classes.bar} data-changed={isChanged || undefined}>
          {draft.failure && isChanged && (
            <Alert color="bad" variant="light" role="alert">
              {draft.failure}
            </Alert>
          )}
          <output className={classes.state}>{isChanged && m.store_manage_unsaved()}</output>
          <Button
            variant="default"
            disabled={!isChanged || draft.isSaving}
            onClick={() => {
              draft.discard(fields);
              setRound(round + 1);
            }}
          >
            {m.store_manage_discard()}
          </Button>
          <Button type="submit" disabled={!isChanged} loading={draft.isSaving}>
            {m.store_manage_save()}
          </Button>
        </footer>
      )}
    </form>
  );
}

function firstWrong(form: HTMLFormElement | null): HTMLInputElement | undefined {
  return allWrong(form)[0];
}

function allWrong(form: HTMLFormElement | null): HTMLInputElement[] {
  return [...(form?.querySelectorAll<HTMLInputElement>('[aria-invalid="true"]') ?? [])];
}
