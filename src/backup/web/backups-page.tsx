import { Alert, Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BackupCopy, Backups } from '#backup/contract.ts';
import { backupsQuery, browserTimeWords } from '#backup/web/backups-query.ts';
import classes from '#backup/web/backups-page.module.css';
import { SecondPlaceSection } from '#backup/web/place/backup-place.tsx';
import { m } from '#messages';
import { api } from '#platform/web/api.ts';
import { notify } from '#ui/web/notify.ts';
import { Badge, type BadgeTone, OfficePage } from '#ui/web/office/office-page.tsx';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import type { Store } from '#store/contract.ts';
import { OfficeLoadFailure, LoadingState } from '#ui/web/office/states.tsx';

export function BackupsPage({ store }: { store: Store }) {
  const query = useQuery(backupsQuery);
  if (query.isError && !query.data)
    return <OfficeLoadFailure error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <LoadingState />;
  const backups = query.data.data;
  return (
    <OfficePage
      title={m.backup_title()}
      hint={m.backup_hint()}
      actions={<MakeBackupButton isRunning={backups.running !== null} />}
    >
      <div className={classes.parts}>
        <Progress running={backups.running} />
        <Verdict backups={backups} />
        <Copies copies={backups.copies} isRunning={backups.running !== null} />
        <SecondPlaceSection store={store} isRunning={backups.running !== null} />
      </div>
    </OfficePage>
  );
}

function MakeBackupButton({ isRunning }: { isRunning: boolean }) {
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const make = async () => {
    setAsking(true);
    try {
      client.setQueryData(backupsQuery.queryKey, await api('POST /v1/backups', {}));
    } catch (error) {
      notify({ id: 'backups', text: refusalWords(error), tone: 'bad' });
    } finally {
      setAsking(false);
    }
  };
  return (
    <Button disabled={isRunning} loading={isAsking} onClick={() => void make()}>
      {m.backup_make()}
    </Button>
  );
}

const stepWords = {
  waiting: m.backup_step_waiting,
  copying: m.backup_step_copying,
  proving: m.backup_step_proving,
  sending: m.backup_step_sending,
};

/**
 * The current step of a backup. The element exists even without a backup, so that screen readers announce the first
 * step.
 */
function Progress({ running }: Pick<Backups, 'running'>) {
  return <output className={classes.progress}>{running && stepWords[running.step]()}</output>;
}

const reasonWords = {
  no_room: m.backup_reason_no_room,
  failed: m.backup_reason_failed,
  interrupted: m.backup_reason_interrupted,
  damaged: m.backup_reason_damaged,
};

function Verdict({ backups }: { backups: Backups }) {
  const { state, good_at: goodAt, problem, copies } = backups;
  // If the newest backup has a fault, the list of backups explains it.
  const isAboutCopy = copies[0] !== undefined && copies[0].reason !== null;
  const why = problem === null || isAboutCopy ? '' : reasonWords[problem.reason]();
  if (state === 'late') {
    const title = goodAt === null ? m.backup_none_good() : m.backup_late_title({ time: browserTimeWords(goodAt) });
    return (
      <Alert color="bad" title={title}>
        {m.backup_late_hint()} {why}
      </Alert>
    );
  }
  if (why !== '' && problem !== null) {
    return (
      <Alert color="bad" title={m.backup_problem_title({ time: browserTimeWords(problem.at) })}>
        {why}
      </Alert>
    );
  }
  return goodAt === null ? null : <p>{m.backup_good({ time: browserTimeWords(goodAt) })}</p>;
}

function Copies({ copies, isRunning }: { copies: readonly BackupCopy[]; isRunning: boolean }) {
  if (copies.length === 0)
    return isRunning ? null : (
      <p>
        <strong>{m.backup_none()}.</strong> {m.backup_none_hint()}
      </p>
    );
  return (
    <section>
      <h2>{m.backup_copies()}</h2>
      <ul className={classes.copies}>
        {copies.map((copy) => (
          <Copy key={copy.number} copy={copy} isRunning={isRunning && copy === copies[0]} />
        ))}
      </ul>
      <p>{m.backup_copies_hint()}</p>
    </section>
  );
}

const stateWords: Record<BackupCopy['state'], { tone: BadgeTone; words: () => string }> = {
  good: { tone: 'good', words: m.backup_state_good },
  unproven: { tone: 'warn', words: m.backup_state_unproven },
  damaged: { tone: 'bad', words: m.backup_state_damaged },
};

function Copy({ copy, isRunning }: { copy: BackupCopy; isRunning: boolean }) {
  const { made_at: madeAt, bytes, reason, state } = copy;
  const isTried = isRunning && state === 'unproven' && reason === null;
  return (
    <li>
      <strong>{browserTimeWords(madeAt)}</strong>
      <span>{sizeWords(bytes)}</span>
      <Badge tone={isTried ? null : stateWords[state].tone}>
        {isTried ? m.backup_state_trying() : stateWords[state].words()}
      </Badge>
      {reason !== null && <p>{reasonWords[reason]()}</p>}
    </li>
  );
}

function sizeWords(bytes: number): string {
  const megabytes = bytes / 1e6;
  if (megabytes >= 1_000) return m.backup_gigabytes({ size: (megabytes / 1_000).toFixed(1) });
  return m.backup_megabytes({ size: megabytes < 0.1 ? '0.1' : megabytes.toFixed(megabytes < 10 ? 1 : 0) });
}
