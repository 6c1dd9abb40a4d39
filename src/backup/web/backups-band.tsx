import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { backupsQuery, momentWords } from '#backup/web/backups-query.ts';
import { m } from '#messages';

interface BandProps {
  /** During the set-up nobody is asked for a second place: its last step does. */
  isSettingUp: boolean;
}

/** Warns of late backups and of a missing or failing second place, except on the page of backups. */
export function BackupsBand({ isSettingUp }: BandProps) {
  const { data } = useQuery(backupsQuery);
  const [path] = useLocation();
  if (!data || path === '/admin/backups') return null;
  const { state, good_at: goodAt, has_second_place: isElsewhere, second_place: place } = data.data;
  const link = <Link href="/admin/backups">{m.backup_band_open()}</Link>;
  if (state === 'late') {
    const title = goodAt === null ? m.backup_none_good() : m.backup_late_title({ time: momentWords(goodAt) });
    return (
      <Alert color="bad" role="alert" title={title} mb="md">
        {m.backup_late_hint()} {link}
      </Alert>
    );
  }
  // On the board, tickets need the space of a band that stays for weeks.
  const isFailing = place ? place.state !== 'good' || place.problem !== null : false;
  if (isElsewhere ? !isFailing : isSettingUp) return null;
  if (path === '/store/orders') return null;
  // `note` does not interrupt a screen reader.
  return (
    <Alert color="bad" role="note" p="xs" mb="md">
      {isElsewhere ? m.backup_second_fails() : m.backup_here_only()} {link}
    </Alert>
  );
}
