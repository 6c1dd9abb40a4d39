import { Alert, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { backupsQuery, browserTimeWords } from '#backup/web/backups-query.ts';
import { m } from '#messages';
import { ReminderBand } from '#ui/web/office/reminder-band.tsx';

/**
 * Warns of late backups, and of a second backup location with a problem. The backups page itself shows no such warning.
 */
export function BackupsBand() {
  const { data } = useQuery(backupsQuery);
  const [path] = useLocation();
  if (!data || path === '/admin/backups') return null;
  const { state, good_at: goodAt, has_second_place: isElsewhere, second_place: place } = data.data;
  const link = <Link href="/admin/backups">{m.backup_band_open()}</Link>;
  if (state === 'late') {
    const title = goodAt === null ? m.backup_none_good() : m.backup_late_title({ time: browserTimeWords(goodAt) });
    return (
      <Alert color="bad" role="alert" title={title} mb="md">
        {m.backup_late_hint()} {link}
      </Alert>
    );
  }
  // A problem of the second location can last for weeks, so the board does not show it: tickets need the space.
  const isFailing = isElsewhere && place !== null && (place.state !== 'good' || place.problem !== null);
  if (!isFailing || path === '/store/orders') return null;
  // Unlike `alert`, the role `note` does not interrupt a screen reader.
  return (
    <Alert color="bad" role="note" p="xs" mb="md">
      {m.backup_second_fails()} {link}
    </Alert>
  );
}

/** Reminds the owner to set a second backup location, unless the backups are late. */
export function SecondPlaceReminder() {
  const { data } = useQuery(backupsQuery);
  const [path] = useLocation();
  if (!data || path === '/admin/backups' || data.data.has_second_place || data.data.state === 'late') return null;
  return (
    <ReminderBand isWarning label={m.backup_here_only()} why={m.backup_here_only_why()}>
      <Button component={Link} href="/admin/backups">
        {m.backup_band_open()}
      </Button>
    </ReminderBand>
  );
}
