import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { m } from '#messages';
import { api } from '#platform/web/api.ts';

const minutes = 60_000;

/** Says so in red when calls come through a proxy that the shop does not trust; nothing otherwise. */
export function UnknownProxy() {
  const { data } = useQuery({
    queryKey: ['unknown proxies'],
    queryFn: ({ signal }) => api('GET /v1/proxies/unknown', {}, { signal }),
    refetchInterval: 5 * minutes,
  });
  const addresses = data?.data.addresses ?? [];
  if (addresses.length === 0) return null;
  const title = m.office_proxy_title({ count: addresses.length, addresses: addresses.join(', ') });
  return (
    <Alert color="bad" role="alert" title={title} mb="md">
      {m.office_proxy()}
    </Alert>
  );
}
