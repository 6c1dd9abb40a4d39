import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { RequestOptions } from '#platform/web/api.ts';
import { useLocation, useSearch } from 'wouter';
import { changeView, type ListView, readListView, listViewToQuery } from '#ui/list-view.ts';

interface Page<T> {
  data: T[];
  links: { next: string | null };
  meta: PageMeta;
}

export interface PageMeta {
  total: number;
  total_is_exact: boolean;
  last_page: number;
  current_page: number;
  searched_days?: number | null | undefined;
}

/** Reads a list that the server searches, sorts and paginates. Returns the last response, and props for `DataList`. */
export function usePagedList<T, P extends Page<T>>(list: {
  /** The query key: the list's name, then the values that the list depends on. */
  key: readonly unknown[];
  load: (options: RequestOptions) => Promise<P & Page<T>>;
  /**
   * Returns the polling interval (ms); false: no polling. `answer`: the last response; undefined: there is none yet.
   */
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
      isCounted: query.data?.meta.total_is_exact ?? true,
      pages: query.data ? pageCountOf(query.data) : 1,
      searchedDays: query.data?.meta.searched_days ?? null,
      error: query.error,
      onRetry: () => void query.refetch(),
    },
  };
}

/**
 * The number of pages that can be chosen. Without an exact total these are the pages up to the current one, and the
 * next one if it exists.
 */
export function pageCountOf({ links, meta }: { links: { next: string | null }; meta: PageMeta }): number {
  if (meta.total_is_exact) return meta.last_page;
  return Math.max(meta.last_page, meta.current_page + (links.next === null ? 0 : 1));
}

/**
 * Reads a list's view from the URL, and returns a function that changes it. A changed search replaces the history
 * entry; other changes add an entry.
 */
export function useListView(): { view: ListView; change: (part: Partial<ListView>) => void } {
  const [path, go] = useLocation();
  const view = readListView(useSearch());
  const change = (part: Partial<ListView>): void => {
    go(path + listViewToQuery(changeView(view, part)), { replace: part.search !== undefined });
  };
  return { view, change };
}
