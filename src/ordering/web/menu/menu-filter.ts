import { useSyncExternalStore } from 'react';
import type { DishFilter } from '#menu/filter-dishes.ts';
import { navigate } from '#platform/web/navigation.tsx';
import { hearing } from '#platform/web/hearing.ts';
import { makeStore } from '#platform/web/store.ts';

export interface MenuFilter extends DishFilter {
  text: string;
}

const storageKey = 'menu_filter';
/** The very one that the server rendered with. */
const none: MenuFilter = { text: '', diets: [], without: [] };
const filter = makeStore(() => readAddress() ?? readStored() ?? none, hearing('popstate', onPopState));
let timer: ReturnType<typeof setTimeout> | undefined;

/** What the menu is narrowed to. The server's rendering sees nothing of it. */
export function useMenuFilter(): MenuFilter {
  return useSyncExternalStore(filter.subscribe, filter.read, () => none);
}

/** The allergens that it leaves out: the same list while letters of a search come. */
export function useFilteredOut(): readonly string[] {
  return useSyncExternalStore(
    filter.subscribe,
    () => filter.read().without,
    () => none.without,
  );
}

export function isFiltering({ text, diets, without }: MenuFilter): boolean {
  return text.trim() !== '' || diets.length + without.length > 0;
}

export function readMenuFilter(): MenuFilter {
  return filter.read();
}

/** Beginning to search is a step in the history, so that Back ends the search and stays at the menu. */
export function setSearchText(text: string): void {
  const before = readMenuFilter();
  const isBegun = before.text === '' && text !== '';
  filter.set({ ...before, text });
  if (isBegun) navigate(menuUrl(), { state: { isSearch: true } });
  else writeAddressSoon();
}

/** Narrows by diet and allergens, which are kept over pages and reloads, in this tab. */
export function setMenuFilter(part: Partial<MenuFilter>): void {
  filter.set({ ...readMenuFilter(), ...part });
  const { diets, without } = readMenuFilter();
  try {
    sessionStorage.setItem(storageKey, JSON.stringify({ diets, without }));
  } catch {
    // It lives as long as the page then.
  }
  writeAddress();
}

/** The address of the menu as it is narrowed, with a sheet open over it: `item=…`, `line=…`, `basket`, `filter`. */
export function menuUrl(sheet = '', path = '/menu'): string {
  const { text, diets, without } = readMenuFilter();
  const parts =
    path === '/menu' ? [['q', text.trim()] as const, ['diet', diets.join()], ['without', without.join()]] : [];
  const narrowed = parts
    .filter(([, value]) => value)
    .map(([name, value]) => `${name}=${encodeURIComponent(value ?? '')}`);
  const query = [sheet, ...narrowed].filter(Boolean).join('&');
  return query ? `${path}?${query}` : path;
}

/** What had the focus when the last sheet was asked for. */
export const sheetOpener: { current: Element | null } = { current: null };

/** Opens a sheet over a page. The step that Back returns to says first all that has been typed until now. */
export function openSheet(sheet: string, path = '/menu'): void {
  sheetOpener.current = document.activeElement;
  clearTimeout(timer);
  writeAddress();
  navigate(menuUrl(sheet, path), { state: { isSheet: true } });
}

/** Takes over what the address asks for; what it says nothing of stays, and the address is made to say so. */
export function arriveAtMenu(): void {
  const held = readMenuFilter();
  // Most find nothing to take over: the page that the server sent is not made again for them.
  filter.set(readAddress() ?? (held.text ? { ...held, text: '' } : held));
  writeAddress();
}

function readAddress(): MenuFilter | null {
  const query = new URLSearchParams(location.search);
  if (!['q', 'diet', 'without'].some((name) => query.has(name))) return null;
  const list = (name: string) => (query.get(name) ?? '').split(',').filter(Boolean);
  return { text: query.get('q') ?? '', diets: list('diet'), without: list('without') };
}

function readStored(): MenuFilter | null {
  try {
    const stored = sessionStorage.getItem(storageKey);
    // Written by setMenuFilter.
    return stored === null ? null : { ...none, ...(JSON.parse(stored) as DishFilter) };
  } catch {
    return null;
  }
}

/** Browsers allow so many changes of the address in a while, and fingers are faster. */
function writeAddressSoon(): void {
  clearTimeout(timer);
  timer = setTimeout(writeAddress, 300);
}

function writeAddress(): void {
  if (location.pathname !== '/menu') return;
  const sheet = /^\?((?:item|line)=[^&]*|basket|filter)(?:&|=|$)/.exec(location.search)?.[1];
  const url = menuUrl(sheet) + location.hash;
  if (url !== location.pathname + location.search + location.hash) {
    navigate(url, { replace: true, state: history.state });
  }
}

/** Back ends a search or brings it back; diets and allergens stay as they were chosen last. */
function onPopState(): void {
  if (location.pathname !== '/menu') return;
  clearTimeout(timer);
  filter.set({ ...readMenuFilter(), text: readAddress()?.text ?? '' });
  writeAddress();
}
