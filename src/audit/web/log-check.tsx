import { Alert, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { AuditCheck } from '#audit/contract.ts';
import classes from '#audit/web/audit.module.css';
import { m } from '#messages';
import { timeWords } from '#platform/date-words.ts';
import { api } from '#platform/web/api.ts';
import type { Store } from '#store/contract.ts';
import { Trouble } from '#ui/web/office/states.tsx';

/** Reads the whole log again when asked to, and says whether it is as it was written. */
export function LogCheck({ store }: { store: Store }) {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['audit check'],
    enabled: false,
    queryFn: ({ signal }) => api('GET /v1/audit/check', {}, { signal, timeout: 60_000 }),
  });
  return (
    <div className={classes.check}>
      <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
        {m.audit_check()}
      </Button>
      <div role="status">{data && !error && <Verdict check={data.data} store={store} />}</div>
      {error && <Trouble error={error} onRetry={() => void refetch()} />}
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
