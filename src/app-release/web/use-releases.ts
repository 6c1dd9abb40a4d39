import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { AppRelease } from '#app-release/contract.ts';
import { api, type Input } from '#platform/web/api.ts';

const key = ['app-releases'];
const withTimeout = { timeout: 20_000 };

export function useReleases() {
  return useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => {
      const options = { signal, ...withTimeout };
      const [releases, usage] = await Promise.all([
        api('GET /v1/app-releases', { per_page: 200 }, options),
        api('GET /v1/app-releases/usage', {}, options),
      ]);
      return { releases: releases.data, usage: usage.data };
    },
    // Another tab may publish, and phones report their versions.
    refetchInterval: 30_000,
  });
}

/** The owner's calls about releases; the list is read again after each. */
export function useReleaseCalls() {
  const client = useQueryClient();
  const onSettled = () => client.invalidateQueries({ queryKey: key });
  return {
    make: useMutation({
      mutationFn: async (release: Input<'POST /v1/app-releases'>) =>
        (await api('POST /v1/app-releases', release, withTimeout)).data,
      onSettled,
    }),
    publish: useMutation({
      // The page has asked, with the debug key's own warning.
      mutationFn: ({ id }: AppRelease) => api('POST /v1/app-releases/{id}/publish', { id, confirm: true }, withTimeout),
      onSettled,
    }),
    withdraw: useMutation({
      mutationFn: ({ id }: AppRelease) => api('DELETE /v1/app-releases/{id}', { id }, withTimeout),
      onSettled,
    }),
  };
}
