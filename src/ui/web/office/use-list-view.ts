import { useLocation, useSearch } from 'wouter';
import { changeView, type ListView, readListView, writeListView } from '#ui/list-view.ts';

/** The view in the address, and a function to change it. Typing replaces the history entry; other changes add one. */
export function useListView(): { view: ListView; change: (part: Partial<ListView>) => void } {
  const [path, go] = useLocation();
  const view = readListView(useSearch());
  const change = (part: Partial<ListView>): void => {
    go(path + writeListView(changeView(view, part)), { replace: part.search !== undefined });
  };
  return { view, change };
}
