import { Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { m } from '#messages';
import { api } from '#platform/web/api.ts';

export function VersionLabel() {
  const { data } = useQuery({
    queryKey: ['versions'],
    queryFn: ({ signal }) => api('GET /v1/versions', {}, { signal }),
  });
  if (data === undefined) return null;
  return <Menu.Label>{m.office_versions({ hatch: data.data.hatch })}</Menu.Label>;
}
