import { useQuery } from '@tanstack/react-query';
import { useBoardControls } from '#kitchen/web/board-controls.ts';
import { api } from '#platform/web/api.ts';

/** Whether the shop has a printer; undefined while unknown. */
export function useHasPrinter(): boolean | undefined {
  const { store } = useBoardControls();
  const { data } = useQuery({
    queryKey: ['printing', store.id],
    queryFn: async ({ signal }) =>
      (await api('GET /v1/stores/{id}/printing', { id: store.id }, { signal, timeout: 15_000 })).data,
    staleTime: 60_000,
  });
  return data?.has_printer;
}
