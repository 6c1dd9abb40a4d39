import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { indexMenus, type MenuIndex } from '#menu/menu-index.ts';
import { api } from '#platform/web/api.ts';
import { STORES_CHANNEL } from '#store/channels.ts';
import { useChannel } from '#realtime/web/use-channel.ts';
import { cancelAndRefetch } from '#platform/web/cancel-and-refetch.ts';

export function useMenuIndex(storeId: string): UseQueryResult<MenuIndex> {
  const client = useQueryClient();
  const queryKey = ['board menu', storeId];
  const refetch = (): void => void cancelAndRefetch(client, queryKey);
  useChannel<{ 'menu.updated': { store_id?: string } }>(
    STORES_CHANNEL,
    { 'menu.updated': ({ store_id: changed }) => changed === storeId && refetch() },
    { onCaughtUp: refetch },
  );
  return useQuery({
    queryKey,
    structuralSharing: false,
    queryFn: async ({ signal }) => {
      const include = 'categories.items.option_groups.options';
      const { data } = await api('GET /v1/menus/store/{storeId}', { storeId, include }, { signal, timeout: 20_000 });
      return indexMenus(data);
    },
  });
}
