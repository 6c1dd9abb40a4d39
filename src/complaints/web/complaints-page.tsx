import { Alert } from '@mantine/core';
import { useState } from 'react';
import { urgencyOf } from '#complaints/complaint-rules.ts';
import type { Complaint } from '#complaints/contract.ts';
import { ComplaintSheet } from '#complaints/web/complaint-sheet.tsx';
import { stateWords, subjectWords, urgencyWords } from '#complaints/web/complaint-words.ts';
import classes from '#complaints/web/complaints.module.css';
import { m } from '#messages';
import { mailPromise } from '#mail/web/mail-promise.ts';
import { filterOf } from '#ui/list-view.ts';
import { Badge } from '#ui/web/office/badge.tsx';
import { type Column, DataList } from '#ui/web/office/data-list.tsx';
import { ChoiceFilter, choicesOf } from '#ui/web/office/list-filters.tsx';
import { OfficePage } from '#ui/web/office/office-page.tsx';
import { Empty } from '#ui/web/office/states.tsx';
import { useListView, usePagedList } from '#ui/web/office/use-paged-list.ts';
import { dateWords } from '#platform/date-words.ts';
import { api } from '#platform/web/api.ts';
import { useNow } from '#platform/web/clock.ts';
import type { Store } from '#store/contract.ts';

const perPage = 50;
type Row = Omit<Complaint, 'message' | 'answer'>;

/** The complaints of customers and guests, the most urgent first. */
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
          status: filterOf(view, 'status', stateWords),
        },
        options,
      ),
    // No event announces one.
    askAgain: () => 60_000,
  });
  const now = useNow();
  const date = (at: string) => dateWords(at, store.timezone);
  const columns: Column<Row>[] = [
    { key: 'reference', label: m.complaints_reference(), isWhole: true, cell: ({ reference }) => reference },
    { key: 'from', label: m.complaints_from(), cell: (row) => <Sender row={row} /> },
    { key: 'about', label: m.complaints_subject(), cell: (row) => aboutWords(row) },
    { key: 'received', label: m.complaints_received(), isWhole: true, cell: ({ created_at: at }) => date(at) },
    { key: 'due', label: m.complaints_due(), cell: (row) => <Due row={row} now={now} date={date} /> },
    { key: 'state', label: m.complaints_state(), cell: (row) => <State row={row} /> },
  ];
  const urgent = (list.rows ?? []).filter((row) => urgencyOf(row, now).kind !== 'none').length;
  return (
    <OfficePage
      title={m.office_page_complaints()}
      hint={mailPromise(m.complaints_office_hint, m.complaints_office_hint_unsent)()}
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
            choices={choicesOf(stateWords)}
            view={view}
            onView={change}
          />
        }
        empty={<Empty title={m.complaints_none()}>{m.complaints_none_hint()}</Empty>}
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
      {urgency && <Badge tone={urgencyOf(row, now).kind === 'late' ? 'bad' : 'warn'}>{urgency}</Badge>}
    </span>
  );
}

function State({ row: { status } }: { row: Row }) {
  return <Badge tone={status === 'answered' ? 'good' : null}>{stateWords[status]()}</Badge>;
}
