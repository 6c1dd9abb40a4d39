import { Alert, Button } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { ComplaintState, ComplaintSubject, ComplaintWish } from '#database/column-values.ts';
import { complaintUrgency } from '#complaints/complaint-rules.ts';
import type { Complaint } from '#complaints/contract.ts';
import { AnswerForm } from '#complaints/web/answer-form.tsx';
import classes from '#complaints/web/complaints.module.css';
import { m } from '#messages';
import { pickByMailServer } from '#mail/web/pick-by-mail-server.ts';
import { knownFilterValue } from '#ui/list-view.ts';
import { Badge, OfficePage } from '#ui/web/office/office-page.tsx';
import { type ListColumn, DataList } from '#ui/web/office/data-list.tsx';
import { ChoiceFilter, choicesFromWords } from '#ui/web/office/list-filters.tsx';
import { EmptyState, OfficeLoadFailure, LoadingState } from '#ui/web/office/states.tsx';
import { useListView, usePagedList } from '#ui/web/office/use-paged-list.ts';
import { RefundOffer } from '#payment/web/refund-offer.tsx';
import { refundStateWords } from '#payment/refund-status-words.ts';
import { dateWords, shortInstantWords } from '#platform/date-words.ts';
import { formatMoney } from '#platform/money.ts';
import { api } from '#platform/web/api.ts';
import { useNow } from '#platform/web/clock.ts';
import type { Store } from '#store/contract.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { notify } from '#ui/web/notify.ts';
import { confirm, SideSheet } from '#ui/web/office/dialogs.tsx';
import { refusalWords } from '#ui/web/office/refusal-words.ts';

const RefundDialog = lazy(async () => ({ default: (await import('#payment/web/refund-dialog.tsx')).RefundDialog }));

const perPage = 50;
type Row = Omit<Complaint, 'message' | 'answer'>;

export function ComplaintsPage({ store }: { store: Store }) {
  const { view, change } = useListView();
  const [opened, setOpened] = useState<string | null>(null);
  const { list } = usePagedList({
    key: ['complaints', view],
    load: (options) =>
      api(
        'GET /v1/complaints',
        {
          page: view.page,
          per_page: perPage,
          search: view.search || undefined,
          status: knownFilterValue(view, 'status', stateWords),
        },
        options,
      ),
    // The list is polled, because events about complaints go only to the boards of the order's store.
    askAgain: () => 60_000,
  });
  const now = useNow();
  const date = (at: string) => dateWords(at, store.timezone);
  const columns: ListColumn<Row>[] = [
    { key: 'reference', label: m.complaints_reference(), isWhole: true, cell: ({ reference }) => reference },
    { key: 'from', label: m.complaints_from(), cell: (row) => <Sender row={row} /> },
    { key: 'about', label: m.complaints_subject(), cell: (row) => aboutWords(row) },
    {
      key: 'received',
      label: m.complaints_received(),
      isWhole: true,
      isForWide: true,
      cell: ({ created_at: at }) => date(at),
    },
    { key: 'due', label: m.complaints_due(), cell: (row) => <Due row={row} now={now} date={date} /> },
    { key: 'state', label: m.complaints_state(), isBesideTitle: true, cell: (row) => <State row={row} /> },
  ];
  const urgent = (list.rows ?? []).filter((row) => complaintUrgency(row, now).kind !== 'none').length;
  return (
    <OfficePage
      title={m.office_page_complaints()}
      hint={pickByMailServer(m.complaints_office_hint, m.complaints_office_hint_unsent)()}
      isWide
    >
      {urgent > 0 && (
        <Alert className={classes.warning ?? ''} color="bad" title={m.complaints_late_title({ count: urgent })}>
          {m.complaints_late_text()}
        </Alert>
      )}
      <DataList
        label={m.office_page_complaints()}
        columns={columns}
        {...list}
        rowId={({ id }) => id}
        rowName={({ reference }) => reference}
        view={view}
        onView={change}
        onOpen={({ id }) => setOpened(id)}
        filters={
          <ChoiceFilter
            name="status"
            label={m.complaints_state()}
            choices={choicesFromWords(stateWords)}
            view={view}
            onView={change}
          />
        }
        empty={<EmptyState title={m.complaints_none()}>{m.complaints_none_hint()}</EmptyState>}
      />
      {opened !== null && <ComplaintSheet id={opened} store={store} onClose={() => setOpened(null)} />}
    </OfficePage>
  );
}

function aboutWords({ about, order_number: number }: Row): string {
  if (number === null) return subjectWords[about]();
  const order = m.complaints_subject_of_order({ number });
  return about === 'order' ? order : `${subjectWords[about]()}, ${order}`;
}

function Sender({ row: { name, email, is_forgotten: isForgotten } }: { row: Row }) {
  if (isForgotten) return m.complaints_forgotten_person();
  return (
    <span className={classes.stack}>
      <span className={classes.name}>{name}</span>
      <span className={classes.address}>{email}</span>
    </span>
  );
}

function Due({ row, now, date }: { row: Row; now: Date; date: (at: string) => string }) {
  const urgency = urgencyWords(row, now);
  if (row.status === 'answered') return '–';
  return (
    <span className={classes.stack}>
      {date(row.due_at)}{' '}
      {urgency && <Badge tone={complaintUrgency(row, now).kind === 'late' ? 'bad' : 'warn'}>{urgency}</Badge>}
    </span>
  );
}

function State({ row: { status } }: { row: Row }) {
  return <Badge tone={status === 'answered' ? 'good' : null}>{stateWords[status]()}</Badge>;
}

function ComplaintSheet({ id, store, onClose }: { id: string; store: Store; onClose: () => void }) {
  const query = useQuery({
    queryKey: ['complaint', id],
    queryFn: async ({ signal }) => (await api('GET /v1/complaints/{id}', { id }, { signal })).data,
  });
  const title = query.data?.reference ?? m.office_page_complaints();
  return (
    <SideSheet opened onClose={onClose} position="right" size="lg" title={title}>
      {query.isPending ? (
        <LoadingState />
      ) : query.isError ? (
        <OfficeLoadFailure error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <>
          <Facts complaint={query.data} store={store} />
          {query.data.is_forgotten ? null : (
            <>
              <h3>{m.complaints_their_words()}</h3>
              <p className={classes.text}>{query.data.message}</p>
              <OrderRefund complaint={query.data} store={store} />
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

/** The refunds since the complaint, and a button that refunds its dishes. */
function OrderRefund({
  complaint: { order_id: orderId, created_at: since, lines, reference },
  store,
}: {
  complaint: Complaint;
  store: Store;
}) {
  const [isOpen, setOpen] = useState(false);
  if (orderId === null) return null;
  return (
    <div className={classes.buttons}>
      <RefundOffer
        orderId={orderId}
        since={since}
        refundWords={(refund) =>
          m.complaints_order_refunded({
            amount: formatMoney(refund.amount, refund.currency),
            status: refundStateWords(refund),
            time: shortInstantWords(refund.settled_at ?? refund.created_at, store.timezone),
          })
        }
        labels={{ first: m.complaints_order_refund(), more: m.complaints_order_refund_more() }}
        onRefund={() => setOpen(true)}
      />
      {isOpen && (
        <Suspense>
          <RefundDialog
            orderId={orderId}
            store={store}
            begin={{ lines, reason: m.complaints_order_reason({ reference }) }}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </div>
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
    [m.complaints_order_dishes(), complaint.lines.map(({ name, quantity }) => `${quantity} × ${name}`).join(', ')],
    [m.complaints_order_wish(), complaint.wish && wishWords[complaint.wish]()],
    [m.complaints_order_allergy(), complaint.is_allergy && m.complaints_order_allergy_ring()],
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

/** Returns a function that runs a call, notifies of its result, and refetches the complaint and the list. */
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
  const send = async (answer: string) => {
    const isSure = await confirm({
      title: m.complaints_answer_sure({ email }),
      body: m.complaints_answer_sure_body(),
      action: m.complaints_answer_send(),
    });
    return (
      isSure &&
      change(
        () => api('POST /v1/complaints/{id}/answer', { id, answer }, { timeout: 20_000 }),
        m.complaints_answer_sent(),
      )
    );
  };
  const next = status === 'new' ? 'in_progress' : 'new';
  return (
    <AnswerForm
      id={id}
      label={m.complaints_answer_label()}
      hint={pickByMailServer(m.complaints_answer_label_hint, m.complaints_answer_label_unsent)({ email })}
      action={m.complaints_answer_send()}
      minRows={6}
      className={classes.form}
      buttonsClassName={classes.buttons}
      onSend={send}
    >
      <Button
        variant="default"
        onClick={() => void change(() => api('PATCH /v1/complaints/{id}', { id, status: next }))}
      >
        {next === 'new' ? m.complaints_back_to_new() : m.complaints_start()}
      </Button>
    </AnswerForm>
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

const stateWords: Record<ComplaintState, () => string> = {
  new: m.complaints_state_new,
  in_progress: m.complaints_state_in_progress,
  answered: m.complaints_state_answered,
};

const wishWords: Record<ComplaintWish, () => string> = {
  money_back: m.complaints_order_money_back,
  make_again: m.complaints_order_make_again,
  only_tell: m.complaints_order_only_tell,
};

const subjectWords: Record<ComplaintSubject, () => string> = {
  data: m.complaints_subject_data,
  order: m.complaints_subject_order,
  other: m.complaints_subject_other,
};

/** Returns words for the time left until the deadline; null while the deadline is not near, and after the answer. */
function urgencyWords(complaint: Parameters<typeof complaintUrgency>[0], now: Date): string | null {
  const { kind, days } = complaintUrgency(complaint, now);
  if (kind === 'none') return null;
  if (kind === 'late') return m.complaints_due_late();
  return days === 0 ? m.complaints_due_today() : m.complaints_due_soon({ days });
}
