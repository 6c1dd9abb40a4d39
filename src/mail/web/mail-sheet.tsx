import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { m } from '#messages';
import type { Mail } from '#mail/contract.ts';
import { isForReaderOnly, mailKindWords, mailStateHints, mailStateWords } from '#mail/mail-words.ts';
import { MailFrame } from '#mail/web/mail-frame.tsx';
import classes from '#mail/web/mail.module.css';
import { SideSheet } from '#ui/web/office/dialogs.tsx';
import { Trouble, Waiting } from '#ui/web/office/states.tsx';
import { api } from '#platform/web/api.ts';

interface SheetProps {
  id: string;
  when: (at: string) => string;
  onClose: () => void;
}

/** One mail: its state and its content. */
export function MailSheet({ id, when, onClose }: SheetProps) {
  const query = useQuery({
    queryKey: ['mail', 'one', id],
    queryFn: async ({ signal }) => (await api('GET /v1/mail/{id}', { id }, { signal, timeout: 20_000 })).data,
    // Its state may change while it is looked at.
    refetchInterval: ({ state }) => (state.data?.ended_at === null ? 5_000 : false),
  });
  const title = query.data && (query.data.subject || mailKindWords[query.data.kind]());
  return (
    <SideSheet opened onClose={onClose} position="right" size="xl" title={title ?? m.office_page_mail()}>
      {query.isPending ? (
        <Waiting />
      ) : query.isError ? (
        <Trouble error={query.error} onRetry={() => void query.refetch()} />
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
      {mail.state === 'filed' && isForReaderOnly(mail.kind) && <p>{m.mail_secret_filed()}</p>}
      <Said mail={mail} />
    </>
  );
}

function Said({ mail: { state, subject, html, text } }: { mail: Mail }) {
  // The links of a filed mail can only be opened from its text.
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
        <MailFrame html={html} subject={subject} />
      ) : (
        <p className={classes.text}>{text.split(linkPattern).map(linkOrWords)}</p>
      )}
    </>
  );
}

const linkPattern = /(https?:\/\/[^\s<>]*[\w/])/;

/** `split` puts the pattern's matches at the odd indices. */
function linkOrWords(part: string, index: number): ReactNode {
  if (index % 2 === 0) return part;
  return (
    <a key={index} href={part} target="_blank" rel="noreferrer">
      {part}
    </a>
  );
}
