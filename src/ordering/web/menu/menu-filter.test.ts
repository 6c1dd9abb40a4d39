import { beforeEach, expect, test, vi } from 'vitest';

type Filter = typeof import('#ordering/web/menu/menu-filter.ts');

const stored = new Map<string, string>();
const listeners = new Map<string, Set<(event: unknown) => void>>();
const address = { pathname: '/menu', search: '', hash: '' };
vi.stubGlobal('localStorage', {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
});
vi.stubGlobal('location', address);
const go = (_state: unknown, _title: string, to: string) => {
  const url = new URL(to, 'https://shop.example');
  Object.assign(address, { pathname: url.pathname, search: url.search });
};
vi.stubGlobal('history', { state: null, replaceState: go, pushState: go });
vi.stubGlobal('addEventListener', (name: string, react: (event: unknown) => void) => {
  listeners.set(name, (listeners.get(name) ?? new Set()).add(react));
});
vi.stubGlobal('removeEventListener', (name: string, react: (event: unknown) => void) => {
  listeners.get(name)?.delete(react);
});

/** A tab that opens at an address: the module again, the storage as it is. */
async function openTab(pathname: string, search = ''): Promise<Filter> {
  Object.assign(address, { pathname, search });
  vi.resetModules();
  return await import('#ordering/web/menu/menu-filter.ts');
}

/** Tells every tab, as browsers do. */
function tellTabs(): void {
  for (const react of listeners.get('storage') ?? []) react({ key: 'menu_filter' });
}

beforeEach(() => {
  stored.clear();
  listeners.clear();
});

test('a picked allergen holds in every tab and after a reload, and hides nothing until the visitor wants that', async () => {
  const tab = await openTab('/menu');
  tab.setMenuFilter({ allergens: ['nuts'] });
  expect((await openTab('/checkout')).readMenuFilter().allergens).toEqual(['nuts']);
  expect((await openTab('/menu')).readMenuFilter()).toMatchObject({ allergens: ['nuts'], hidesAllergens: false });
  expect(tab.menuUrl()).toBe('/menu');
  tab.setMenuFilter({ hidesAllergens: true });
  expect(tab.menuUrl()).toBe('/menu?without=nuts');
  expect((await openTab('/menu')).readMenuFilter()).toMatchObject({ allergens: ['nuts'], hidesAllergens: true });
});

test('an open tab follows another one, and its address too', async () => {
  const open = await openTab('/menu');
  const end = open.subscribeToMenuFilter(() => undefined);
  const other = await openTab('/menu');
  other.setMenuFilter({ allergens: ['nuts'], hidesAllergens: true, diets: ['vegan'] });
  address.search = '';
  tellTabs();
  expect(open.readMenuFilter()).toEqual({ text: '', diets: ['vegan'], allergens: ['nuts'], hidesAllergens: true });
  expect(address.search).toBe('?diet=vegan&without=nuts');
  end();
  other.setMenuFilter({ allergens: [] });
  open.subscribeToMenuFilter(() => undefined);
  expect(open.readMenuFilter().allergens).toEqual([]);
});

test('a link that leaves an allergen out holds at the checkout as well', async () => {
  (await openTab('/menu', '?without=nuts')).applyMenuFilterFromUrl();
  expect((await openTab('/checkout')).readMenuFilter().allergens).toEqual(['nuts']);
});

test('a link adds to what somebody avoids, and takes nothing of it away', async () => {
  (await openTab('/menu')).setMenuFilter({ allergens: ['nuts'], diets: ['vegan'] });
  const search = await openTab('/menu', '?q=pizza');
  search.applyMenuFilterFromUrl();
  const picked = { diets: ['vegan'], allergens: ['nuts'], hidesAllergens: false };
  expect(search.readMenuFilter()).toEqual({ text: 'pizza', ...picked });
  const link = await openTab('/menu', '?without=milk,nuts&diet=halal');
  link.applyMenuFilterFromUrl();
  const linked = { text: '', diets: ['halal'], allergens: ['nuts', 'milk'], hidesAllergens: true };
  expect(link.readMenuFilter()).toEqual(linked);
});

test('a filter that an earlier release stored still hides its allergens', async () => {
  stored.set('menu_filter', JSON.stringify({ diets: [], without: ['nuts'] }));
  expect((await openTab('/menu')).readMenuFilter()).toMatchObject({ allergens: ['nuts'], hidesAllergens: true });
  stored.set('menu_filter', JSON.stringify({ diets: ['vegan'], without: [] }));
  expect((await openTab('/menu')).readMenuFilter()).toMatchObject({ diets: ['vegan'], hidesAllergens: false });
});

test('with a full storage it lives as long as the page', async () => {
  (await openTab('/menu')).setMenuFilter({ allergens: [] });
  vi.spyOn(stored, 'set').mockImplementation(() => {
    throw new Error('full');
  });
  const tab = await openTab('/menu');
  tab.setMenuFilter({ allergens: ['nuts'] });
  tab.subscribeToMenuFilter(() => undefined);
  expect(tab.readMenuFilter().allergens).toEqual(['nuts']);
  vi.restoreAllMocks();
});
