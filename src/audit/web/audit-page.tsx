import { Alert, Button } from '@mantine/core';
import { useState } from 'react';
import type { AuditArea } from '#audit/areas.ts';
import type { AuditCheck, AuditLine } from '#audit/contract.ts';
import { auditFieldWords, auditLineWords, auditValueWords } from '#audit/web/action-words.ts';
import classes from '#audit/web/audit.module.css';
import { m } from '#messages';
import { knownFilterValue } from '#ui/list-view.ts';
import { type ListColumn, DataList } from '#ui/web/office/data-list.tsx';
import { SideSheet } from '#ui/web/office/dialogs.tsx';
import { ChoiceFilter, choicesFromWords, DayFilters } from '#ui/web/office/list-filters.tsx';
import { OfficePage } from '#ui/web/office/office-page.tsx';
import { EmptyState, OfficeLoadFailure } from '#ui/web/office/states.tsx';
import { useListView, usePagedList } from '#ui/web/office/use-paged-list.ts';
import { dateWords, shortInstantWords, timeWords } from '#platform/date-words.ts';
import { api } from '#platform/web/api.ts';
import type { Store } from '#store/contract.ts';
import { useQuery } from '@tanstack/react-query';

const perPage = 50;

const areaWords: Record<AuditArea, () => string> = {
  orders: m.audit_area_orders,
  menu: m.audit_area_menu,
  stores: m.audit_area_stores,
  people: m.audit_area_people,
  accounts: m.audit_area_accounts,
  money: m.audit_area_money,
  other: m.audit_area_other,
};

export function AuditPage({ store }: { store: Store }) {
  const { view, change } = useListView();
  const [opened, setOpened] = useState<AuditLine | null>(null);
  const { from, to, subject } = view.filters;
  const { list } = usePagedList({
    key: ['audit', view],
    load: (options) =>
      api(
        'GET /v1/audit',
        {
          page: view.page,
          per_page: perPage,
          search: view.search || undefined,
          area: knownFilterValue(view, 'area', areaWords),
          start_date: from,
          end_date: to,
          subject_id: subject,
        },
        options,
      ),
  });
  const columns: ListColumn<AuditLine>[] = [
    { key: 'what', label: m.audit_what(), cell: auditLineWords },
    { key: 'subject', label: m.audit_subject(), cell: ({ subject: name }) => name ?? '–' },
    { key: 'who', label: m.audit_who(), cell: ({ actor }) => actor },
    { key: 'at', label: m.audit_when(), isWhole: true, cell: ({ at }) => shortInstantWords(at, store.timezone) },
  ];
  return (
    <OfficePage title={m.office_page_audit()} hint={m.audit_hint()} isWide>
      <DataList
        label={m.office_page_audit()}
        columns={columns}
        {...list}
        rowId={({ id }) => id}
        rowName={auditLineWords}
        view={view}
        onView={change}
        onOpen={setOpened}
        filters={
          <>
            <ChoiceFilter
              name="area"
              label={m.audit_area()}
              choices={choicesFromWords(areaWords)}
              view={view}
              onView={change}
            />
            <DayFilters view={view} onView={change} />
          </>
        }
        empty={<EmptyState title={m.audit_empty()} />}
      />
      <LogCheck store={store} />
      {opened && (
        <OpenedLine
          line={opened}
          store={store}
          onClose={() => setOpened(null)}
          onSubject={(id) => {
            change({ search: '', filters: { subject: id } });
            setOpened(null);
          }}
        />
      )}
    </OfficePage>
  );
}

function whenWords(at: string, { timezone }: Store): string {
  return `${dateWords(at, timezone)}, ${timeWords(at, timezone)}`;
}

interface OpenedProps {
  line: AuditLine;
  store: Store;
  onClose: () => void;
  /** Called to list the other changes of the same object. */
  onSubject: (id: string) => void;
}

function OpenedLine({ line, store, onClose, onSubject }: OpenedProps) {
  return (
    <SideSheet opened onClose={onClose} position="right" size="lg" title={auditLineWords(line)}>
      <dl className={classes.facts}>
        <dt>{m.audit_who()}</dt>
        <dd>
          {line.actor} ({line.role})
        </dd>
        <dt>{m.audit_when()}</dt>
        <dd>{whenWords(line.at, store)}</dd>
        <dt>{m.audit_subject()}</dt>
        <dd>{line.subject ?? line.subject_id ?? '–'}</dd>
      </dl>
      {line.detail && <Sent detail={line.detail} currency={store.currency} />}
      <details className={classes.technical}>
        <summary>{m.audit_technical()}</summary>
        <dl className={classes.facts}>
          <dt>{m.audit_call()}</dt>
          <dd>
            <code>{line.action}</code>
          </dd>
          <dt>{m.audit_request()}</dt>
          <dd>
            <code>{line.request_id}</code>
          </dd>
        </dl>
        {line.detail && <pre className={classes.detail}>{JSON.stringify(line.detail, null, 2)}</pre>}
      </details>
      {line.subject_id && (
        <Button variant="default" onClick={() => onSubject(line.subject_id ?? '')}>
          {m.audit_same_subject()}
        </Button>
      )}
    </SideSheet>
  );
}

/**
 * A table of the sent values by field. If the call also sent the earlier values (`was`), the table has a column for
 * them.
 */
function Sent({ detail, currency }: { detail: Record<string, unknown>; currency: string }) {
  const { was, ...fields } = detail;
  const before = typeof was === 'object' && was !== null ? new Map(Object.entries(was)) : null;
  const names = Object.keys(fields);
  if (names.length === 0) return null;
  return (
    <table className={classes.sent}>
      <thead>
        <tr>
          <th scope="col">{m.audit_field()}</th>
          {before && <th scope="col">{m.audit_before()}</th>}
          <th scope="col">{m.audit_after()}</th>
        </tr>
      </thead>
      <tbody>
        {names.map((name) => (
          <tr key={name}>
            <th scope="row">{auditFieldWords(name)}</th>
            {before && <td>{auditValueWords(name, before.get(name), currency)}</td>}
            <td>{auditValueWords(name, fields[name], currency)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function LogCheck({ store }: { store: Store }) {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['audit check'],
    enabled: false,
    queryFn: ({ signal }) => api('GET /v1/audit/check', {}, { signal, timeout: 60_000 }),
  });
  return (
    <div className={classes.check}>
      <p>{m.audit_recorded()}</p>
      <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
        {m.audit_check()}
      </Button>
      <div role="status">{data && !error && <Verdict check={data.data} store={store} />}</div>
      {error && <OfficeLoadFailure error={error} onRetry={() => void refetch()} />}
    </div>
  );
}

const faultWords: Record<AuditCheck['faults'][number]['kind'], (at: { position: string; entry: string }) => string> = {
  changed: m.audit_check_changed,
  missing: m.audit_check_missing,
  gone: m.audit_check_gone,
  unchained: m.audit_check_unchained,
};

function Verdict({ check, store }: { check: AuditCheck; store: Store }) {
  const { entries, head, faults } = check;
  const time = timeWords(check.checked_at, store.timezone);
  if (faults.length === 0) {
    return (
      <>
        <p>{m.audit_check_good({ count: entries, time })}</p>
        {head && <p className={classes.hash}>{m.audit_check_value({ value: head })}</p>}
      </>
    );
  }
  return (
    <Alert color="bad" title={m.audit_check_bad({ count: faults.length })}>
      <p>{m.audit_check_bad_hint()}</p>
      <ul>
        {faults.map(({ kind, position, entry }) => (
          <li key={`${kind} ${position} ${entry}`}>{faultWords[kind]({ position: String(position ?? ''), entry })}</li>
        ))}
      </ul>
    </Alert>
  );
}
