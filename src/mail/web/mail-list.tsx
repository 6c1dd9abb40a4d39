import { Alert, SegmentedControl } from '@mantine/core';
import { type ReactNode, type SyntheticEvent, useState } from 'react';
import { m } from '#messages';
import {
  isForRecipientOnly,
  isSmtpSignInRefused,
  mailKindWords,
  mailStateHints,
  mailStateWords,
} from '#mail/mail-words.ts';
import type { MailState } from '#database/mail-values.ts';
import type { Mail, MailSummary } from '#mail/contract.ts';
import classes from '#mail/web/mail.module.css';
import { knownFilterValue, type ListView } from '#ui/list-view.ts';
import { Badge, type BadgeTone } from '#ui/web/office/office-page.tsx';
import { type ListColumn, DataList } from '#ui/web/office/data-list.tsx';
import { ChoiceFilter, choicesFromWords } from '#ui/web/office/list-filters.tsx';
import { EmptyState, OfficeLoadFailure, LoadingState } from '#ui/web/office/states.tsx';
import { usePagedList } from '#ui/web/office/use-paged-list.ts';
import { dateWords, shortInstantWords, timeWords } from '#platform/date-words.ts';
import { api } from '#platform/web/api.ts';
import { useQuery } from '@tanstack/react-query';
import { SideSheet } from '#ui/web/office/dialogs.tsx';

const perPage = 50;
const tones: Record<MailState, BadgeTone | null> = {
  queued: null,
  retrying: 'warn',
  sent: 'good',
  filed: null,
  refused: 'bad',
  given_up: 'bad',
  dropped: null,
};

export interface MailViewProps {
  view: ListView;
  onView: (part: Partial<ListView>) => void;
}

export function MailList({ store, view, onView }: MailViewProps & { store: { timezone: string } }) {
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
          state: knownFilterValue(view, 'state', mailStateWords),
          order_id: view.filters['order'],
        },
        options,
      ),
    // The list is polled, because mails are written shortly after their cause, and no event announces them.
    askAgain: () => 10_000,
  });
  const when = (at: string) => `${dateWords(at, store.timezone)}, ${timeWords(at, store.timezone)}`;
  const columns: ListColumn<MailSummary>[] = [
    { key: 'at', label: m.mail_at(), isWhole: true, cell: ({ at }) => shortInstantWords(at, store.timezone) },
    { key: 'to', label: m.mail_to(), cell: (mail) => <Receiver mail={mail} /> },
    { key: 'kind', label: m.mail_kind(), cell: ({ kind }) => mailKindWords[kind]() },
    {
      key: 'order',
      label: m.mail_order(),
      cell: ({ order_number: number }) => (number === null ? '–' : `#${number}`),
      isUsual: ({ order_number: number }) => number === null,
    },
    { key: 'subject', label: m.mail_subject(), isForWide: true, cell: ({ subject }) => subject || '–' },
    { key: 'state', label: m.mail_state(), isBesideTitle: true, cell: (mail) => <State mail={mail} /> },
  ];
  const trouble = answer?.trouble ?? null;
  return (
    <>
      {trouble && <Trouble trouble={trouble} since={when(trouble.since)} />}
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
            choices={choicesFromWords(mailStateWords)}
            view={view}
            onView={onView}
          />
        }
        empty={<EmptyState title={m.mail_none()}>{m.mail_none_hint()}</EmptyState>}
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

interface TroubleProps {
  trouble: { waiting: number; answer: string | null };
  since: string;
}

function Trouble({ trouble: { waiting, answer }, since }: TroubleProps) {
  return (
    <Alert className={classes.trouble ?? ''} color="red" role="alert" title={m.mail_trouble_title({ count: waiting })}>
      <p>{m.mail_trouble({ since })}</p>
      {isSmtpSignInRefused(answer ?? '') && <p>{m.mail_sign_in_refused()}</p>}
      {answer !== null && (
        <p>
          {m.mail_trouble_answer()} <q className={classes.answer}>{answer}</q>
        </p>
      )}
    </Alert>
  );
}

function Receiver({ mail: { to, name, state, ended_at: endedAt } }: { mail: MailSummary }) {
  if (to === '') {
    // A dropped mail will never have an address. Any other mail without an address waits to be written, or its
    // recipient was erased.
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

function State({ mail: { state, answer } }: { mail: MailSummary }) {
  const isRefused = state === 'retrying' || state === 'refused' || state === 'given_up';
  return (
    <span className={classes.stack}>
      <Badge tone={tones[state]}>{mailStateWords[state]()}</Badge>
      {isRefused && answer !== null && <span className={classes.answer}>{answer}</span>}
    </span>
  );
}

interface SheetProps {
  id: string;
  when: (at: string) => string;
  onClose: () => void;
}

function MailSheet({ id, when, onClose }: SheetProps) {
  const query = useQuery({
    queryKey: ['mail', 'one', id],
    queryFn: async ({ signal }) => (await api('GET /v1/mail/{id}', { id }, { signal, timeout: 20_000 })).data,
    // While the sheet is open, the mail may still be sent or fail.
    refetchInterval: ({ state }) => (state.data?.ended_at === null ? 5_000 : false),
  });
  const title = query.data && (query.data.subject || mailKindWords[query.data.kind]());
  return (
    <SideSheet opened onClose={onClose} position="right" size="xl" title={title ?? m.office_page_mail()}>
      {query.isPending ? (
        <LoadingState />
      ) : query.isError ? (
        <OfficeLoadFailure error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Details mail={query.data} when={when} />
      )}
    </SideSheet>
  );
}

function Details({ mail, when }: { mail: Mail; when: SheetProps['when'] }) {
  const facts: [string, ReactNode][] = [
    [m.mail_state(), `${mailStateWords[mail.state]()}. ${mailStateHints[mail.state]()}`],
    [m.mail_detail_answer(), mail.answer],
    [m.mail_to(), mail.to && (mail.name === '' ? mail.to : `${mail.name} <${mail.to}>`)],
    [m.mail_detail_from(), mail.from],
    [m.mail_kind(), mailKindWords[mail.kind]()],
    [m.mail_order(), mail.order_number && `#${mail.order_number}`],
    [m.mail_at(), when(mail.at)],
    [m.mail_detail_tries(), mail.tries > 1 ? mail.tries : null],
    [m.mail_detail_tried(), mail.tries > 1 && mail.tried_at ? when(mail.tried_at) : null],
  ];
  return (
    <>
      <dl className={classes.facts}>
        {facts
          .filter(([, value]) => value !== null && value !== '')
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      {mail.state === 'filed' && isForRecipientOnly(mail.kind) && <p>{m.mail_secret_filed()}</p>}
      <Said mail={mail} />
    </>
  );
}

function Said({ mail: { state, subject, html, text } }: { mail: Mail }) {
  // The HTML of a filed mail lacks its secret links, which are in the plain text.
  const [chosen, setChosen] = useState<'html' | 'text'>(html === null || state === 'filed' ? 'text' : 'html');
  if (text === null) {
    if (state === 'dropped') return <p>{m.mail_text_dropped()}</p>;
    return <p>{state === 'queued' || state === 'retrying' ? m.mail_text_not_yet() : m.mail_text_gone()}</p>;
  }
  const shown = html === null ? 'text' : chosen;
  return (
    <>
      {html !== null && (
        <SegmentedControl
          aria-label={m.mail_view()}
          value={shown}
          onChange={(value) => setChosen(value === 'text' ? 'text' : 'html')}
          data={[
            { value: 'html', label: m.mail_as_html() },
            { value: 'text', label: m.mail_as_text() },
          ]}
        />
      )}
      {shown === 'html' && html !== null ? (
        <MailPreview html={html} subject={subject} />
      ) : (
        <p className={classes.text}>{text.split(linkPattern).map(linkOrWords)}</p>
      )}
    </>
  );
}

const linkPattern = /(https?:\/\/[^\s<>]*[\w/])/;

/** A part of a text that was split at its links: the parts at odd indices are the links. */
function linkOrWords(part: string, index: number): ReactNode {
  if (index % 2 === 0) return part;
  return (
    <a key={index} href={part} target="_blank" rel="noreferrer">
      {part}
    </a>
  );
}

/** A mail as a mail program shows it, without scripts and without working links. `width` is in pixels. */
export function MailPreview({ html, subject, width }: { html: string; subject: string; width?: number }) {
  const [height, setHeight] = useState(600);
  const measure = ({ currentTarget }: SyntheticEvent<HTMLIFrameElement>) =>
    setHeight(currentTarget.contentDocument?.documentElement.scrollHeight ?? 600);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scroller must be reached by key
    <div className={classes.scroller} role="region" aria-label={m.mail_scroller()} tabIndex={0}>
      <iframe
        // `key` reloads the frame when the width changes, so that `onLoad` measures the content's new height.
        key={width}
        className={classes.frame}
        title={m.mail_frame({ subject })}
        // Scripts are forbidden. The same origin lets this page measure the height of the content.
        sandbox="allow-same-origin"
        srcDoc={html}
        onLoad={measure}
        style={{ height, ...(width !== undefined && { width }) }}
      />
    </div>
  );
}
