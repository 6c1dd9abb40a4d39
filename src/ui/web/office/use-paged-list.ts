import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { RequestOptions } from '#platform/web/api.ts';

interface Page<T> {
  data: T[];
  meta: { total: number; last_page: number };
}

/** A list that the server searches, sorts and pages: its last answer, and what `DataList` shows of it. */
export function usePagedList<T, P extends Page<T>>(list: {
  /** What it depends on, beginning with what it is a list of. */
  key: readonly unknown[];
  load: (options: RequestOptions) => Promise<P & Page<T>>;
  /** In how many milliseconds to ask again, by what was answered; undefined before anything was. */
  askAgain?: (answer: P | undefined) => number | false;
}) {
  const { key, load, askAgain } = list;
  const query = useQuery({
    queryKey: key,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }): Promise<P & Page<T>> => load({ signal, timeout: 20_000 }),
    refetchInterval: ({ state }) => askAgain?.(state.data) ?? false,
  });
  return {
    answer: query.data,
    list: {
      rows: query.data?.data,
      total: query.data?.meta.total ?? 0,
      pages: query.data?.meta.last_page ?? 1,
      error: query.error,
      onRetry: () => void query.refetch(),
    },
  };
}
