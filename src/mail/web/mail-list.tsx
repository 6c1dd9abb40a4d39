import { Alert } from '@mantine/core';
import { useState } from 'react';
import { m } from '#messages';
import { isSignInRefused } from '#mail/mail-answer.ts';
import type { MailState } from '#database/mail-columns.ts';
import type { MailHead } from '#mail/contract.ts';
import { mailKindWords, mailStateWords } from '#mail/mail-words.ts';
import { MailSheet } from '#mail/web/mail-sheet.tsx';
import classes from '#mail/web/mail.module.css';
import { filterOf, type ListView } from '#ui/list-view.ts';
import { Badge, type Tone } from '#ui/web/office/badge.tsx';
import { type Column, DataList } from '#ui/web/office/data-list.tsx';
import { ChoiceFilter, choicesOf } from '#ui/web/office/list-filters.tsx';
import { Empty } from '#ui/web/office/states.tsx';
import { usePagedList } from '#ui/web/office/use-paged-list.ts';
import { dateWords, timeWords } from '#platform/date-words.ts';
import { api } from '#platform/web/api.ts';

const perPage = 50;
const tones: Record<MailState, Tone | null> = {
  queued: null,
  retrying: 'warn',
  sent: 'good',
  filed: null,
  refused: 'bad',
  given_up: 'bad',
  dropped: null,
};

export interface ViewProps {
  view: ListView;
  onView: (part: Partial<ListView>) => void;
}

/** The mails with their states. */
export function MailList({ store, view, onView }: ViewProps & { store: { timezone: string } }) {
  const [opened, setOpened] = useState<string | null>(null);
  const { answer, list } = usePagedList({
    key: ['mail', view],
    load: (options) =>
      api(
        'GET /v1/mail',
        {
          page: view.page,
          per_page: perPage,
          search: view.search || undefined,
          state: filterOf(view, 'state', mailStateWords),
          order_id: view.filters['order'],
        },
        options,
      ),
    // A mail is written a moment after its cause, and no event announces it.
    askAgain: () => 10_000,
  });
  const when = (at: string) => `${dateWords(at, store.timezone)}, ${timeWords(at, store.timezone)}`;
  const columns: Column<MailHead>[] = [
    { key: 'at', label: m.mail_at(), isWhole: true, cell: ({ at }) => when(at) },
    { key: 'to', label: m.mail_to(), cell: (mail) => <Receiver mail={mail} /> },
    { key: 'kind', label: m.mail_kind(), cell: ({ kind }) => mailKindWords[kind]() },
    { key: 'order', label: m.mail_order(), cell: ({ order_number: number }) => (number === null ? '–' : `#${number}`) },
    { key: 'subject', label: m.mail_subject(), cell: ({ subject }) => subject || '–' },
    { key: 'state', label: m.mail_state(), cell: (mail) => <State mail={mail} /> },
  ];
  const trouble = answer?.trouble ?? null;
  return (
    <>
      {trouble && (
        <Alert
          className={classes.trouble ?? ''}
          color="red"
          role="alert"
          title={m.mail_trouble_title({ count: trouble.waiting })}
        >
          <p>{m.mail_trouble({ since: when(trouble.since) })}</p>
          {isSignInRefused(trouble.answer ?? '') && <p>{m.mail_sign_in_refused()}</p>}
          {trouble.answer !== null && (
            <p>
              {m.mail_trouble_answer()} <q className={classes.answer}>{trouble.answer}</q>
            </p>
          )}
        </Alert>
      )}
      <DataList
        label={m.office_page_mail()}
        columns={columns}
        {...list}
        rowId={({ id }) => id}
        rowName={({ subject, kind }) => subject || mailKindWords[kind]()}
        view={view}
        onView={onView}
        onOpen={({ id }) => setOpened(id)}
        filters={
          <ChoiceFilter
            name="state"
            label={m.mail_state()}
            choices={choicesOf(mailStateWords)}
            view={view}
            onView={onView}
          />
        }
        empty={<Empty title={m.mail_none()}>{m.mail_none_hint()}</Empty>}
      />
      {answer && (
        <p className={classes.server}>
          {answer.smtp_server === null ? m.mail_no_server() : m.mail_server({ server: answer.smtp_server })}
        </p>
      )}
      {opened !== null && <MailSheet id={opened} when={when} onClose={() => setOpened(null)} />}
    </>
  );
}

function Receiver({ mail: { to, name, state, ended_at: endedAt } }: { mail: MailHead }) {
  if (to === '') {
    // It was looked for only when the mail was to be written.
    if (state === 'dropped') return '–';
    return endedAt === null ? m.mail_unknown_receiver() : m.mail_erased_receiver();
  }
  return (
    <span className={classes.stack}>
      {name !== '' && <span className={classes.name}>{name}</span>}
      <span className={classes.address}>{to}</span>
    </span>
  );
}

function State({ mail: { state, answer } }: { mail: MailHead }) {
  const isRefused = state === 'retrying' || state === 'refused' || state === 'given_up';
  return (
    <span className={classes.stack}>
      <Badge tone={tones[state]}>{mailStateWords[state]()}</Badge>
      {isRefused && answer !== null && <span className={classes.answer}>{answer}</span>}
    </span>
  );
}
