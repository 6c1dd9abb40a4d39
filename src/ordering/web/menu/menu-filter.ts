import { useSyncExternalStore } from 'react';
import type { DishFilter } from '#menu/filter-dishes.ts';
import { isHistoryNavigation, navigate } from '#platform/web/navigation.tsx';
import { createWindowSubscriber } from '#platform/web/window-events.ts';
import { createExternalStore } from '#platform/web/external-store.ts';
import { m } from '#messages';
import { servedDaysWords } from '#menu/menu-availability.ts';
import type { Category, Item, Menu } from '#menu/menu-shapes.ts';

export interface MenuFilter {
  text: string;
  diets: readonly string[];
  /** The allergens that the visitor avoids. Every dish answers about them. */
  allergens: readonly string[];
  /** Whether the menu also hides the dishes that are not free of these allergens. */
  hidesAllergens: boolean;
}

/** The filter as it narrows the menu; `without` is empty unless the visitor hides dishes. */
export interface AppliedFilter extends DishFilter {
  text: string;
}

const storageKey = 'menu_filter';
/** The empty filter. It is one object, so that nothing renders again in the browser while no filter is set. */
const none: MenuFilter = { text: '', diets: [], allergens: [], hidesAllergens: false };
const filter = createExternalStore(() => {
  const stored = readStored();
  return narrowed(
    stored && (stored.hidesAllergens || stored.diets.length + stored.allergens.length > 0) ? stored : none,
  );
}, follow);
let timer: ReturnType<typeof setTimeout> | undefined;
/** The text in the storage as this page last read or wrote it. */
let storedText: string | null = null;

export const subscribeToMenuFilter = filter.subscribe;

export function useMenuFilter(): MenuFilter {
  return useSyncExternalStore(subscribeToMenuFilter, filter.read, () => none);
}

/** The allergens that the visitor picked. The array is the same object while the visitor types a search. */
export function usePickedAllergens(): readonly string[] {
  return useSyncExternalStore(
    subscribeToMenuFilter,
    () => filter.read().allergens,
    () => none.allergens,
  );
}

export function isMenuFiltered({ text, diets, without }: AppliedFilter): boolean {
  return text.trim() !== '' || diets.length + without.length > 0;
}

export function readMenuFilter(): MenuFilter {
  return filter.read();
}

/**
 * Sets the searched text. Its first letter adds a history entry, so that Back ends the search instead of leaving the
 * menu.
 */
export function setSearchText(text: string): void {
  const before = readMenuFilter();
  const isBegun = before.text === '' && text !== '';
  filter.set({ ...before, text });
  if (isBegun) navigate(menuUrl(), { state: { isSearch: true } });
  else writeAddressSoon();
}

/** Sets the diets and allergens, and stores them in this browser, because the checkout needs the avoided allergens. */
export function setMenuFilter(part: Partial<MenuFilter>): void {
  filter.set(keep({ ...readMenuFilter(), ...part }));
  writeAddress();
}

/**
 * The address of a page with a sheet over it. `sheet` is `item=…`, `line=…`, `basket`, `categories`, `allergens`,
 * `filter` or empty. The menu's address contains its filter, and no allergens unless they hide dishes.
 */
export function menuUrl(sheet = '', path = '/menu'): string {
  const { text, diets, allergens, hidesAllergens } = readMenuFilter();
  const without = hidesAllergens ? allergens.join() : '';
  const parts = path === '/menu' ? [['q', text.trim()] as const, ['diet', diets.join()], ['without', without]] : [];
  const narrowed = parts
    .filter(([, value]) => value)
    .map(([name, value]) => `${name}=${encodeURIComponent(value ?? '')}`);
  const query = [sheet, ...narrowed].filter(Boolean).join('&');
  return query ? `${path}?${query}` : path;
}

/** The element that had the focus when the last sheet was opened. */
export const elementFocusedBeforeSheet: { current: Element | null } = { current: null };

/**
 * Opens a sheet over a page. The page's address is updated first, so that Back returns to everything typed until now.
 */
export function openSheet(sheet: string, path = '/menu'): void {
  elementFocusedBeforeSheet.current = document.activeElement;
  clearTimeout(timer);
  writeAddress();
  navigate(menuUrl(sheet, path), { state: { isSheet: true } });
}

/**
 * Adds the address's filter to the page's filter when the menu opens, and writes the result to the address. After Back
 * or Forward the address may have allergens that the visitor has removed since.
 */
export function applyMenuFilterFromUrl(): void {
  if (isHistoryNavigation()) return onPopState();
  filter.set(narrowed(readMenuFilter()));
  writeAddress();
}

/**
 * Merges the filter in the page's address into `held`. A link adds avoided allergens and removes none. If the address
 * has no filter, only the search text of `held` is cleared. If `held` has no search text either, it is returned
 * unchanged, so that nothing renders again.
 */
function narrowed(held: MenuFilter): MenuFilter {
  const query = new URLSearchParams(location.search);
  const list = (name: string) => (query.get(name) ?? '').split(',').filter(Boolean);
  if (!['q', 'diet', 'without'].some((name) => query.has(name))) return held.text ? { ...held, text: '' } : held;
  return keep({
    text: query.get('q') ?? '',
    diets: query.has('diet') ? list('diet') : held.diets,
    allergens: [...new Set([...held.allergens, ...list('without')])],
    hidesAllergens: held.hidesAllergens || list('without').length > 0,
  });
}

/** The filter as it is stored. A filter that an earlier release stored has no `hides`, and hides its allergens. */
type StoredFilter = DishFilter & { hides?: boolean };

function keep(next: MenuFilter): MenuFilter {
  const stored: StoredFilter = { diets: next.diets, without: next.allergens, hides: next.hidesAllergens };
  const text = JSON.stringify(stored);
  try {
    localStorage.setItem(storageKey, text);
    storedText = text;
  } catch {
    // Without storage the filter lives only as long as the page.
  }
  return next;
}

function readStored(): MenuFilter | null {
  try {
    storedText = localStorage.getItem(storageKey);
    // The cast is safe: only this module writes the value.
    const stored = JSON.parse(storedText ?? 'null') as StoredFilter | null;
    if (!stored) return null;
    const { diets, without: allergens, hides = allergens.length > 0 } = stored;
    return { text: '', diets, allergens, hidesAllergens: hides };
  } catch {
    return null;
  }
}

/**
 * While the filter has listeners, applies changes by other tabs and by Back and Forward. Changes that other tabs made
 * before are read at the start.
 */
function follow(): () => void {
  takeStored();
  const ends = [createWindowSubscriber('popstate', onPopState)(), createWindowSubscriber('storage', onStorage)()];
  return () => ends.forEach((end) => end());
}

function onStorage({ key }: StorageEvent): void {
  if (key === storageKey && takeStored()) writeAddress();
}

/** Reads the stored diets and allergens into this page. Returns true if another tab had changed them. */
function takeStored(): boolean {
  const { text } = readMenuFilter();
  const before = storedText;
  const stored = readStored();
  if (!stored || storedText === before) return false;
  filter.set({ ...stored, text });
  return true;
}

/** Debounces changes of the address, because browsers limit how many there may be, and typing exceeds that limit. */
function writeAddressSoon(): void {
  clearTimeout(timer);
  timer = setTimeout(writeAddress, 300);
}

function writeAddress(): void {
  if (location.pathname !== '/menu') return;
  const sheet = /^\?((?:item|line|code)=[^&]*|basket|categories|allergens|filter)(?:&|=|$)/.exec(location.search)?.[1];
  const url = menuUrl(sheet) + location.hash;
  if (url !== location.pathname + location.search + location.hash) {
    navigate(url, { replace: true, state: history.state });
  }
}

/** Reads the search from the address after Back or Forward. Diets and allergens are not changed. */
function onPopState(): void {
  if (location.pathname !== '/menu') return;
  clearTimeout(timer);
  filter.set({ ...readMenuFilter(), text: new URLSearchParams(location.search).get('q') ?? '' });
  writeAddress();
}

/** The id of the category that holds the results of a search. */
export const foundCategoryId = 'found';

export interface VisibleCategory extends Category {
  items: Item[];
  /** The text that says when the category's menu is served; null if it is served all day. */
  served: string | null;
}

/**
 * Returns the active categories of all menus, in order, with their active dishes. A category without active dishes is
 * left out.
 */
export function visibleCategories(menus: readonly Menu[]): VisibleCategory[] {
  const shown: VisibleCategory[] = [];
  for (const menu of menus) {
    for (const category of menu.categories ?? []) {
      const items = (category.items ?? []).filter((item) => item.is_active);
      if (category.is_active && items.length > 0) shown.push({ ...category, items, served: servedWords(menu) });
    }
  }
  return shown;
}

function servedWords({ availability }: Menu): string | null {
  if (availability === null) return null;
  const { from, to } = availability;
  if (from !== to) return m.menu_served({ from, to });
  const days = servedDaysWords(availability);
  return days && m.menu_served_days({ days });
}
