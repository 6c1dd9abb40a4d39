import { Alert, Button } from '@mantine/core';
import { Fragment, type ReactNode, useEffect, useRef, useState } from 'react';
import { m } from '#messages';
import classes from '#store/web/manage/manage.module.css';
import type { StoreDraft } from '#store/web/manage/use-store-draft.ts';
import type { Field } from '#store/store-changes.ts';

const noFields: readonly Field[] = [];

interface SectionProps {
  draft: StoreDraft;
  /** What this section saves; none for one that only shows, or acts at once. */
  fields?: readonly Field[];
  title: string;
  hint?: ReactNode;
  children: ReactNode;
}

/** One part of the settings, with its own save. What is wrong is beside its field, and the first of it is focused. */
export function Section({ draft, fields = noFields, title, hint, children }: SectionProps) {
  const form = useRef<HTMLFormElement>(null);
  const isChanged = draft.isChanged(fields);
  const { refusals } = draft;
  // Discarding starts the fields anew, with what was typed into them and could not be read.
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (refusals > 0) firstWrong(form.current)?.focus();
  }, [refusals]);

  const submit = async (): Promise<void> => {
    // A field that cannot be read has told the draft nothing; what the server said of one may be mended by now.
    const unread = allWrong(form.current).filter(
      ({ name, dataset }) => 'unreadable' in dataset || !draft.errorAt(name),
    );
    const [first] = unread;
    if (!first) return draft.save(fields);
    first.focus();
    // All that is wrong is said at once: the server refuses what cannot be read here together with the rest.
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
