import { Button, Textarea } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import type { Complaint } from '#complaints/contract.ts';
import { stateWords, subjectWords, urgencyWords } from '#complaints/web/complaint-words.ts';
import classes from '#complaints/web/complaints.module.css';
import { mailPromise } from '#mail/web/mail-promise.ts';
import { m } from '#messages';
import { dateWords } from '#platform/date-words.ts';
import { api } from '#platform/web/api.ts';
import { useNow } from '#platform/web/clock.ts';
import type { Store } from '#store/contract.ts';
import { notify } from '#ui/web/notify.ts';
import { confirm } from '#ui/web/office/confirm.tsx';
import { SideSheet } from '#ui/web/office/dialogs.tsx';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import { Trouble, Waiting } from '#ui/web/office/states.tsx';

/** One complaint, and the actions on it. */
export function ComplaintSheet({ id, store, onClose }: { id: string; store: Store; onClose: () => void }) {
  const query = useQuery({
    queryKey: ['complaint', id],
    queryFn: async ({ signal }) => (await api('GET /v1/complaints/{id}', { id }, { signal })).data,
  });
  const title = query.data?.reference ?? m.office_page_complaints();
  return (
    <SideSheet opened onClose={onClose} position="right" size="lg" title={title}>
      {query.isPending ? (
        <Waiting />
      ) : query.isError ? (
        <Trouble error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <>
          <Facts complaint={query.data} store={store} />
          {query.data.is_forgotten ? null : (
            <>
              <h3>{m.complaints_their_words()}</h3>
              <p className={classes.text}>{query.data.message}</p>
              {query.data.status === 'answered' ? (
                <Answered complaint={query.data} />
              ) : (
                <Answering key={id} complaint={query.data} />
              )}
            </>
          )}
        </>
      )}
    </SideSheet>
  );
}

function Facts({ complaint, store }: { complaint: Complaint; store: Store }) {
  const date = (at: string) => dateWords(at, store.timezone);
  const { status, answered_at: answeredAt, order_number: number, customer_id: customerId, email } = complaint;
  const urgency = urgencyWords(complaint, useNow());
  const facts: [string, ReactNode][] = [
    [m.complaints_state(), stateWords[status]()],
    [m.complaints_from(), complaint.is_forgotten ? m.complaints_forgotten_person() : complaint.name],
    [m.complaints_email(), email && <a href={`mailto:${email}`}>{email}</a>],
    [
      m.complaints_customer(),
      customerId && (
        <Link href={`/admin/customers?search=${encodeURIComponent(email)}`}>{m.complaints_customer_open()}</Link>
      ),
    ],
    [m.complaints_subject(), subjectWords[complaint.about]()],
    [m.complaints_order_number(), number],
    [m.complaints_received(), date(complaint.created_at)],
    answeredAt === null
      ? [m.complaints_due(), [date(complaint.due_at), urgency].filter(Boolean).join(' · ')]
      : [
          m.complaints_state_answered(),
          m.complaints_answered_on({ date: date(answeredAt), name: complaint.answered_by }),
        ],
  ];
  return (
    <dl className={classes.facts}>
      {facts
        .filter(([, value]) => value)
        .map(([name, value]) => [<dt key={`${name} name`}>{name}</dt>, <dd key={name}>{value}</dd>])}
    </dl>
  );
}

/** Calls, and shows the result here and in the list. */
function useChange(): (call: () => Promise<unknown>, told?: string) => Promise<boolean> {
  const queries = useQueryClient();
  return async (call, told) => {
    try {
      await call();
      if (told) notify({ text: told });
      return true;
    } catch (error) {
      notify({ text: refusalWords(error), tone: 'bad' });
      return false;
    } finally {
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['complaints'] }),
        queries.invalidateQueries({ queryKey: ['complaint'] }),
      ]);
    }
  };
}

function Answering({ complaint: { id, status, email } }: { complaint: Complaint }) {
  const change = useChange();
  const draftKey = `complaint answer ${id}`;
  const [answer, setAnswer] = useState(() => sessionStorage.getItem(draftKey) ?? '');
  const [isBusy, setBusy] = useState(false);
  const write = (text: string) => {
    setAnswer(text);
    sessionStorage.setItem(draftKey, text);
  };
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy || answer.trim() === '') return;
    const isSure = await confirm({
      title: m.complaints_answer_sure({ email }),
      body: m.complaints_answer_sure_body(),
      action: m.complaints_answer_send(),
    });
    if (!isSure) return;
    setBusy(true);
    const isSent = await change(
      () => api('POST /v1/complaints/{id}/answer', { id, answer }, { timeout: 20_000 }),
      m.complaints_answer_sent(),
    );
    if (isSent) sessionStorage.removeItem(draftKey);
    setBusy(false);
  };
  const next = status === 'new' ? 'in_progress' : 'new';
  return (
    <form className={classes.form} onSubmit={(event) => void send(event)}>
      <Textarea
        label={m.complaints_answer_label()}
        description={mailPromise(m.complaints_answer_label_hint, m.complaints_answer_label_unsent)({ email })}
        autosize
        minRows={6}
        maxLength={4000}
        value={answer}
        onChange={(event) => write(event.currentTarget.value)}
      />
      <div className={classes.buttons}>
        <Button type="submit" loading={isBusy} disabled={answer.trim() === ''}>
          {m.complaints_answer_send()}
        </Button>
        <Button
          variant="default"
          onClick={() => void change(() => api('PATCH /v1/complaints/{id}', { id, status: next }))}
        >
          {next === 'new' ? m.complaints_back_to_new() : m.complaints_start()}
        </Button>
      </div>
    </form>
  );
}

function Answered({ complaint: { id, reference, answer } }: { complaint: Complaint }) {
  const change = useChange();
  const forget = async () => {
    const isSure = await confirm({
      title: m.complaints_forget_title({ reference }),
      body: m.complaints_forget_goes(),
      action: m.complaints_forget(),
      isDangerous: true,
    });
    if (isSure) await change(() => api('POST /v1/complaints/{id}/forget', { id }), m.complaints_forgotten());
  };
  return (
    <>
      <h3>{m.complaints_our_answer()}</h3>
      <p className={classes.text}>{answer}</p>
      <div className={classes.buttons}>
        <Button variant="outline" color="bad" onClick={() => void forget()}>
          {m.complaints_forget()}
        </Button>
      </div>
      <p>{m.complaints_kept()}</p>
    </>
  );
}
