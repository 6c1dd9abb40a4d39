import { Alert, Button, NativeSelect, SegmentedControl } from '@mantine/core';
import { m } from '#messages';
import { MailPreview, MailList, type MailViewProps } from '#mail/web/mail-list.tsx';
import classes from '#mail/web/mail.module.css';
import { pickByMailServer } from '#mail/web/pick-by-mail-server.ts';
import { OfficePage } from '#ui/web/office/office-page.tsx';
import { useListView } from '#ui/web/office/use-paged-list.ts';
import { useMediaQuery } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { isSmtpSignInRefused, mailKindWords } from '#mail/mail-words.ts';
import {
  accountMailKinds,
  mailKindOfOrderMail,
  type MailKind,
  orderMailKinds,
  ownerMailKinds,
} from '#database/mail-values.ts';
import { knownFilterValue, filtersWith } from '#ui/list-view.ts';
import { OfficeLoadFailure, LoadingState } from '#ui/web/office/states.tsx';
import { api } from '#platform/web/api.ts';
import { useState } from 'react';
import type { MailSummary } from '#mail/contract.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';

export function MailPage({ store }: { store: { timezone: string } }) {
  const { view, change } = useListView();
  const isPreview = view.filters['show'] === 'previews';
  return (
    <OfficePage
      title={m.office_page_mail()}
      hint={isPreview ? m.mail_example_hint() : pickByMailServer(m.mail_hint, m.mail_hint_unsent)()}
      isWide
    >
      <SegmentedControl
        className={classes.tabs ?? ''}
        withItemsBorders={false}
        aria-label={m.mail_show()}
        value={isPreview ? 'previews' : 'list'}
        onChange={(name) => change({ search: '', filters: name === 'previews' ? { show: name } : {} })}
        data={[
          { value: 'list', label: m.mail_list() },
          { value: 'previews', label: m.mail_previews() },
        ]}
      />
      {isPreview ? (
        <MailPreviews view={view} onView={change} />
      ) : (
        <MailList store={store} view={view} onView={change} />
      )}
    </OfficePage>
  );
}

const languages = { en: 'English', pl: 'Polski' } as const;
const schemes = { light: m.mail_light, dark: m.mail_dark } as const;
const widths = { computer: m.mail_computer, phone: m.mail_phone } as const;
const pixels = { computer: 640, phone: 320 } as const;

type Example = Exclude<MailKind, 'test' | 'other'>;

const groups: { label: () => string; kinds: readonly Example[] }[] = [
  { label: m.mail_group_orders, kinds: [...orderMailKinds.map(mailKindOfOrderMail), 'account_link'] },
  { label: m.mail_group_accounts, kinds: accountMailKinds },
  { label: m.mail_group_owner, kinds: ownerMailKinds },
];

function MailPreviews({ view, onView }: MailViewProps) {
  const kind = knownFilterValue(view, 'kind', examples) ?? 'order_accepted';
  const locale = knownFilterValue(view, 'locale', languages) ?? 'en';
  const scheme = knownFilterValue(view, 'scheme', schemes) ?? 'light';
  const isNarrow = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false });
  const width = knownFilterValue(view, 'width', widths) ?? (isNarrow ? 'phone' : 'computer');
  const choose = (name: string) => (value: string) => onView({ filters: filtersWith(view, name, value) });
  const query = useQuery({
    queryKey: ['mail', 'preview', kind, locale, scheme],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (await api('GET /v1/mail-previews', { kind, locale, scheme }, { signal, timeout: 20_000 })).data,
  });
  const test = useTestMail();
  return (
    <>
      <div className={classes.tools}>
        <NativeSelect
          label={m.mail_example()}
          value={kind}
          onChange={(event) => choose('kind')(event.currentTarget.value)}
          data={groups.map(({ label, kinds }) => ({
            group: label(),
            items: kinds.map((value) => ({ value, label: mailKindWords[value]() })),
          }))}
        />
        <Switch label={m.mail_language()} value={locale} onChange={choose('locale')} words={said(languages)} />
        <Switch label={m.mail_scheme()} value={scheme} onChange={choose('scheme')} words={schemes} />
        <Switch label={m.mail_width()} value={width} onChange={choose('width')} words={widths} />
        <Button loading={test.isBusy} onClick={() => void test.send({ kind, locale })}>
          {m.mail_test()}
        </Button>
      </div>
      <TestOutcome result={test.result} />
      {query.isPending ? (
        <LoadingState />
      ) : query.isError ? (
        <OfficeLoadFailure error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <>
          <p className={classes.subject}>
            <span>{m.mail_subject()}</span> {query.data.subject}
          </p>
          <MailPreview html={query.data.html} subject={query.data.subject} width={pixels[width]} />
          <details className={classes.plain}>
            <summary>{m.mail_as_text()}</summary>
            <p className={classes.text}>{query.data.text}</p>
          </details>
        </>
      )}
    </>
  );
}

const examples = Object.fromEntries(groups.flatMap(({ kinds }) => kinds.map((kind) => [kind, true]))) as Record<
  Example,
  true
>;

function said(words: Record<string, string>): Record<string, () => string> {
  return Object.fromEntries(Object.entries(words).map(([value, word]) => [value, () => word]));
}

function Switch(props: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  words: Record<string, () => string>;
}) {
  const { label, value, onChange, words } = props;
  return (
    <SegmentedControl
      aria-label={label}
      withItemsBorders={false}
      value={value}
      onChange={onChange}
      data={Object.entries(words).map(([key, say]) => ({ value: key, label: say() }))}
    />
  );
}

function TestOutcome({ result }: { result: TestResult | null }) {
  if (result === null) return null;
  if (result.kind === 'failed') {
    return (
      <Alert color="red" role="alert" className={classes.trouble ?? ''}>
        {result.words}
      </Alert>
    );
  }
  const { mail } = result;
  const isRefused = mail.state === 'retrying' || mail.state === 'refused' || mail.state === 'given_up';
  const words = {
    sent: () => m.mail_test_sent({ to: mail.to }),
    filed: m.mail_test_filed,
    queued: m.mail_test_slow,
  };
  return (
    <Alert
      color={isRefused ? 'red' : mail.state === 'sent' ? 'green' : 'gray'}
      role={isRefused ? 'alert' : 'status'}
      className={classes.trouble ?? ''}
    >
      {isRefused ? (
        <>
          {m.mail_test_refused()} <q className={classes.answer}>{mail.answer}</q>
          {isSmtpSignInRefused(mail.answer ?? '') && <p>{m.mail_sign_in_refused()}</p>}
        </>
      ) : (
        (mail.state === 'sent' || mail.state === 'filed' ? words[mail.state] : words.queued)()
      )}
    </Alert>
  );
}

/**
 * The result of a test mail. `tried`: the mail after it has left the state `queued`, or after ten seconds if it is
 * still queued. `failed`: the text about a failed call.
 */
type TestResult = { kind: 'tried'; mail: MailSummary } | { kind: 'failed'; words: string };

const pause = 500;
const looks = 20;

/** Sends a mail with invented data to the person who is signed in, and waits for its state. */
function useTestMail() {
  const [isBusy, setBusy] = useState(false);
  const [result, setResult] = useState<TestResult | null>(null);
  const send = async (example: { kind: Parameters<typeof sendTest>[0]['kind']; locale: 'en' | 'pl' }) => {
    setBusy(true);
    setResult(null);
    try {
      setResult({ kind: 'tried', mail: await sendTest(example) });
    } catch (error) {
      setResult({ kind: 'failed', words: refusalWords(error) });
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, result, send };
}

type Body = Parameters<typeof api<'POST /v1/mail-tests'>>[1];

async function sendTest(body: Body): Promise<MailSummary> {
  let { data: mail } = await api('POST /v1/mail-tests', body);
  for (let look = 0; mail.state === 'queued' && look < looks; look += 1) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    mail = (await api('GET /v1/mail/{id}', { id: mail.id })).data;
  }
  return mail;
}
