import { queryOptions, useQuery } from '@tanstack/react-query';
import type { OnboardingStepName } from '#office/onboarding.ts';
import { storeOrdersChannelName } from '#ordering/channels.ts';
import { api } from '#platform/web/api.ts';
import { useChannel } from '#realtime/web/use-channel.ts';
import { STORES_CHANNEL } from '#store/channels.ts';
import { notify } from '#ui/web/notify.ts';
import { queryClient } from '#ui/web/office/query-client.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';

/** The state of the guided set-up. It is stale at once, because other pages and devices change it. */
export const onboardingQuery = (storeId: string) =>
  queryOptions({
    queryKey: ['first evening', storeId],
    queryFn: async ({ signal }) =>
      (await api('GET /v1/stores/{id}/first-evening', { id: storeId }, { signal, timeout: 20_000 })).data,
    staleTime: 0,
  });

/** The state of the guided set-up, refetched when another owner, a device or the board may have changed it. */
export function useLiveOnboarding(storeId: string) {
  const query = useQuery(onboardingQuery(storeId));
  const refetch = (): void => void query.refetch();
  useChannel<{ 'store.updated': { store: { id: string } }; 'menu.updated': { store_id: string } }>(
    STORES_CHANNEL,
    {
      'store.updated': ({ store }) => void (store.id === storeId && refetch()),
      'menu.updated': ({ store_id: id }) => void (id === storeId && refetch()),
    },
    { onCaughtUp: refetch },
  );
  useChannel<{ 'order.placed': unknown; 'order.updated': unknown }>(storeOrdersChannelName(storeId), {
    'order.placed': refetch,
    'order.updated': refetch,
  });
  return query;
}

/** Saves a change of the set-up and returns true. A refusal is shown as a notice, and false is returned. */
export async function changeOnboarding(
  id: string,
  change: { is_shown?: boolean; settled?: OnboardingStepName },
): Promise<boolean> {
  try {
    await api('POST /v1/stores/{id}/first-evening', { id, ...change }, { timeout: 20_000 });
  } catch (error) {
    notify({ text: refusalWords(error), tone: 'bad' });
    return false;
  }
  await queryClient.invalidateQueries(onboardingQuery(id));
  return true;
}
