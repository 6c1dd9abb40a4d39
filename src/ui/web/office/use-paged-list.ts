import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { RequestOptions } from '#platform/web/api.ts';

interface Page<T> {
  data: T[];
  meta: { total: number; last_page: number };
}

/** A list that the server searches, sorts and pages: its last answer, and the props of `DataList` from it. */
export function usePagedList<T, P extends Page<T>>(list: {
  /** The values that it depends on; the first is the name of the list. */
  key: readonly unknown[];
  load: (options: RequestOptions) => Promise<P & Page<T>>;
  /** After how many milliseconds to fetch again, given the last answer; undefined before the first answer. */
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
