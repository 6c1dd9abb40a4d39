import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { m } from '#messages';
import { type Column, DataList } from '#ui/web/office/data-list.tsx';
import { SideSheet } from '#ui/web/office/dialogs.tsx';
import classes from '#office/web/mail/mail.module.css';
import { OfficePage } from '#ui/web/office/office-page.tsx';
import { Empty, Trouble, Waiting } from '#ui/web/office/states.tsx';
import { useListView } from '#ui/web/office/use-list-view.ts';
import { usePagedList } from '#ui/web/office/use-paged-list.ts';
import { dateWords, timeWords } from '#platform/date-words.ts';
import type { FiledMail } from '#database/mail/mail-contract.ts';
import { api } from '#platform/web/api.ts';
import type { Store } from '#store/contract.ts';

type MailHead = Omit<FiledMail, 'text'>;
const perPage = 50;

/** The mails that were written to files because no SMTP server is set; if one is set, its address. */
export function MailPage({ store }: { store: Store }) {
  const { view, change } = useListView();
  const [opened, setOpened] = useState<MailHead | null>(null);
  const { answer, list } = usePagedList({
    key: ['mail', view.page],
    load: (options) => api('GET /v1/mail', { page: view.page, per_page: perPage }, options),
    // A mail is written a moment after its cause, and no event announces it.
    askAgain: () => 10_000,
  });
  const when = ({ at }: MailHead) => `${dateWords(at, store.timezone)}, ${timeWords(at, store.timezone)}`;
  const columns: Column<MailHead>[] = [
    { key: 'subject', label: m.office_mail_subject(), cell: ({ subject }) => subject },
    { key: 'to', label: m.office_mail_to(), cell: ({ to }) => to },
    { key: 'at', label: m.office_mail_at(), cell: when },
  ];
  const server = answer?.smtp_server ?? null;
  if (server !== null) {
    return (
      <OfficePage title={m.office_page_mail()}>
        <Empty title={m.office_mail_sent_title()}>
          <p>{m.office_mail_sent({ server })}</p>
        </Empty>
      </OfficePage>
    );
  }
  return (
    <OfficePage title={m.office_page_mail()} hint={m.office_mail_hint()}>
      <DataList
        label={m.office_page_mail()}
        columns={columns}
        {...list}
        rowId={({ id }) => id}
        rowName={({ subject }) => subject}
        view={view}
        onView={change}
        onOpen={setOpened}
        hasSearch={false}
        empty={<Empty title={m.office_mail_none()} />}
      />
      <SideSheet
        opened={opened !== null}
        onClose={() => setOpened(null)}
        position="right"
        size="lg"
        title={opened?.subject}
      >
        {opened && <Message id={opened.id} when={when(opened)} />}
      </SideSheet>
    </OfficePage>
  );
}

function Message({ id, when }: { id: string; when: string }) {
  const query = useQuery({
    queryKey: ['mail', 'one', id],
    queryFn: async ({ signal }) => (await api('GET /v1/mail/{id}', { id }, { signal, timeout: 20_000 })).data,
  });
  if (query.isPending) return <Waiting />;
  if (query.isError) return <Trouble error={query.error} onRetry={() => void query.refetch()} />;
  const { from, to, text } = query.data;
  return (
    <>
      <p>{m.office_mail_head({ from, to, when })}</p>
      <p className={classes.text}>{text.split(linkPattern).map(linkOrWords)}</p>
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
