import { Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { m } from '#messages';
import { api } from '#platform/web/api.ts';

/** Which program runs on which data, for whoever looks after the server. */
export function Versions() {
  const { data } = useQuery({
    queryKey: ['versions'],
    queryFn: ({ signal }) => api('GET /v1/versions', {}, { signal }),
  });
  if (data === undefined) return null;
  const { hatch, data: stored, postgres } = data.data;
  return <Menu.Label>{m.office_versions({ hatch, data: stored?.slice(0, 3) ?? '–', postgres })}</Menu.Label>;
}
