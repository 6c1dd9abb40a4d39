import { Alert } from '@mantine/core';
import '#ui/web/office/mantine-deferred-styles.ts';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { BackupsBand } from '#backup/web/backups-band.tsx';
import { lastRestoreQuery } from '#backup/web/restored-query.ts';
import { m } from '#messages';
import { api } from '#platform/web/api.ts';

const minutes = 60_000;

export function InstallationFaults() {
  // The warnings share one `div`, because they would be squeezed as single items of a full-screen page.
  return (
    <div>
      <RestoredShop />
      <BackupsBand />
      <UnknownProxy />
      <OldDatabase />
    </div>
  );
}

/** Says that the shop was restored from a backup. The shop takes no orders until its owner continues it. */
function RestoredShop() {
  const { data } = useQuery(lastRestoreQuery);
  const [path] = useLocation();
  // The page to which the notice links does not show the notice.
  if (!data?.data || data.data.continued_at !== null || path === '/admin/restored') return null;
  return (
    <Alert color="bad" role="alert" title={m.backup_restored_title()} mb="md">
      {m.backup_restored_band()} <Link href="/admin/restored">{m.backup_restored_open()}</Link>
    </Alert>
  );
}

/** Warns of a proxy that is not trusted, and of a trusted proxy that does not name its clients. */
function UnknownProxy() {
  const { data } = useQuery({
    queryKey: ['unknown proxies'],
    queryFn: ({ signal }) => api('GET /v1/proxies/unknown', {}, { signal }),
    refetchInterval: 5 * minutes,
  });
  const { addresses = [], without_clients: silent = [] } = data?.data ?? {};
  return (
    <>
      {silent.length > 0 && (
        <Alert color="bad" role="alert" title={m.office_proxy_silent_title()} mb="md">
          {m.office_proxy_silent({ count: silent.length, addresses: silent.join(', ') })}
        </Alert>
      )}
      {addresses.length > 0 && (
        <Alert
          color="bad"
          role="alert"
          title={m.office_proxy_title({ count: addresses.length, addresses: addresses.join(', ') })}
          mb="md"
        >
          {m.office_proxy()}
        </Alert>
      )}
    </>
  );
}

/** Warns of an untested PostgreSQL version. The version is fetched once per page load, because it rarely changes. */
function OldDatabase() {
  const { data } = useQuery({
    queryKey: ['versions'],
    queryFn: ({ signal }) => api('GET /v1/versions', {}, { signal }),
    staleTime: Infinity,
  });
  if (data === undefined || data.data.is_postgres_tested) return null;
  return (
    <Alert color="bad" role="alert" title={m.office_old_database_title()} mb="md">
      {m.office_old_database({ version: data.data.postgres })}
    </Alert>
  );
}
