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

test('an avoided allergen holds in every tab, and after a reload', async () => {
  const tab = await openTab('/menu');
  tab.setMenuFilter({ without: ['nuts'] });
  expect((await openTab('/checkout')).readMenuFilter().without).toEqual(['nuts']);
  expect((await openTab('/menu')).readMenuFilter().without).toEqual(['nuts']);
});

test('an open tab follows another one, and its address too', async () => {
  const open = await openTab('/menu');
  const end = open.subscribeToMenuFilter(() => undefined);
  const other = await openTab('/menu');
  other.setMenuFilter({ without: ['nuts'], diets: ['vegan'] });
  address.search = '';
  tellTabs();
  expect(open.readMenuFilter()).toEqual({ text: '', diets: ['vegan'], without: ['nuts'] });
  expect(address.search).toBe('?diet=vegan&without=nuts');
  end();
  other.setMenuFilter({ without: [] });
  open.subscribeToMenuFilter(() => undefined);
  expect(open.readMenuFilter().without).toEqual([]);
});

test('a link that leaves an allergen out holds at the checkout as well', async () => {
  (await openTab('/menu', '?without=nuts')).applyAddressFilter();
  expect((await openTab('/checkout')).readMenuFilter().without).toEqual(['nuts']);
});

test('a link adds to what somebody avoids, and takes nothing of it away', async () => {
  (await openTab('/menu')).setMenuFilter({ without: ['nuts'], diets: ['vegan'] });
  const search = await openTab('/menu', '?q=pizza');
  search.applyAddressFilter();
  expect(search.readMenuFilter()).toEqual({ text: 'pizza', diets: ['vegan'], without: ['nuts'] });
  const link = await openTab('/menu', '?without=milk,nuts&diet=halal');
  link.applyAddressFilter();
  expect(link.readMenuFilter()).toEqual({ text: '', diets: ['halal'], without: ['nuts', 'milk'] });
});

test('with a full storage it lives as long as the page', async () => {
  (await openTab('/menu')).setMenuFilter({ without: [] });
  vi.spyOn(stored, 'set').mockImplementation(() => {
    throw new Error('full');
  });
  const tab = await openTab('/menu');
  tab.setMenuFilter({ without: ['nuts'] });
  tab.subscribeToMenuFilter(() => undefined);
  expect(tab.readMenuFilter().without).toEqual(['nuts']);
  vi.restoreAllMocks();
});
