import { useLocation, useSearch } from 'wouter';
import { changeView, type ListView, readListView, writeListView } from '#ui/list-view.ts';

/** The view that the address says, and how to change it. Typing replaces the entry in the history; the rest adds one. */
export function useListView(): { view: ListView; change: (part: Partial<ListView>) => void } {
  const [path, go] = useLocation();
  const view = readListView(useSearch());
  const change = (part: Partial<ListView>): void => {
    go(path + writeListView(changeView(view, part)), { replace: part.search !== undefined });
  };
  return { view, change };
}
