import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { editingSessionOf, menuPartsKey } from '#menu/web/editor/session/editing-session.ts';
import {
  makeLinkOperation,
  type MenuOperation,
  makeReorderOperation,
  makeReorderCategoriesOperation,
  makeUnlinkOperation,
} from '#menu/operations/menu-operation.ts';
import { sampleParts } from '#menu/testing/sample-parts.ts';
import { queryClient } from '#ui/web/office/query-client.ts';

let sent: { call: string; body: unknown }[];
let stores = 0;

beforeEach(() => {
  sent = [];
  vi.stubGlobal('location', { href: 'https://shop.example/admin/menuEditor' });
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined, removeItem: () => undefined });
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('fetch', async (url: URL, { method, body }: { method: string; body: string }) => {
    sent.push({ call: `${method} ${url.pathname}`, body: JSON.parse(body) });
    return new Response(null, { status: 204 });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
});

/** Makes these edits one after another, and resolves when all of them are sent. */
async function edit(...edits: MenuOperation[][]): Promise<ReturnType<typeof editingSessionOf>> {
  const storeId = `store ${(stores += 1)}`;
  queryClient.setQueryData(menuPartsKey(storeId), sampleParts());
  const session = editingSessionOf(storeId);
  for (const operations of edits) session.edit('an edit', operations);
  await expect.poll(() => session.read().edits).toEqual([]);
  return session;
}

test('empty lists to add, to remove, or of categories to order send nothing, and leave nothing to undo', async () => {
  const session = await edit(
    [makeLinkOperation('category', 'mains', [])],
    [makeUnlinkOperation('category', 'mains', [])],
    [makeReorderCategoriesOperation([])],
    [makeLinkOperation('item', 'soup', [])],
    [makeUnlinkOperation('item', 'soup', [])],
  );
  expect(sent).toEqual([]);
  expect(session.read().past).toEqual([]);
});

test("the order of an item's option groups is always sent, even an empty one", async () => {
  await edit([makeReorderOperation('item', 'soup', [])]);
  expect(sent).toEqual([{ call: 'POST /v1/items/soup/option-groups/reorder', body: { optionGroupIds: [] } }]);
});

test("the content of a list is sent under the call's own name for it", async () => {
  await edit(
    [makeLinkOperation('category', 'starters', ['soup', 'loose'])],
    [makeUnlinkOperation('category', 'starters', ['soup'])],
    [makeReorderCategoriesOperation(['mains', 'starters'])],
    [makeReorderOperation('category', 'mains', ['pizza', 'soup'])],
    [makeLinkOperation('item', 'soup', ['size'])],
    [makeUnlinkOperation('item', 'soup', ['size'])],
    [makeReorderOperation('item', 'pizza', ['topping', 'size'])],
    [makeReorderOperation('group', 'size', ['large', 'small'])],
  );
  expect(sent).toEqual([
    { call: 'POST /v1/categories/starters/items/add', body: { items: ['soup', 'loose'] } },
    { call: 'POST /v1/categories/starters/items/remove', body: { items: ['soup'] } },
    { call: 'POST /v1/categories/reorder', body: { ids: ['mains', 'starters'] } },
    { call: 'POST /v1/categories/mains/items/reorder', body: { itemIds: ['pizza', 'soup'] } },
    { call: 'POST /v1/items/soup/option-groups/add', body: { option_groups: ['size'] } },
    { call: 'POST /v1/items/soup/option-groups/remove', body: { option_groups: ['size'] } },
    { call: 'POST /v1/items/pizza/option-groups/reorder', body: { optionGroupIds: ['topping', 'size'] } },
    { call: 'POST /v1/option-groups/size/options/reorder', body: { optionIds: ['large', 'small'] } },
  ]);
});

/** The stored value of a key when the page opens, and its value once all edits are sent. */
async function sendKept(storeId: string, key: string, edits: unknown): Promise<number> {
  const stored = new Map([[key, JSON.stringify(edits)]]);
  vi.stubGlobal('localStorage', {
    [key]: '',
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => stored.set(name, text),
    removeItem: (name: string) => stored.delete(name),
  });
  queryClient.setQueryData(menuPartsKey(storeId), sampleParts());
  const session = editingSessionOf(storeId);
  await expect.poll(() => sent.length).toBe(1);
  await expect.poll(() => session.read().edits).toEqual([]);
  return stored.size;
}

const calls = [{ call: 'POST /v1/categories/{id}/items/add', id: 'starters', body: { items: ['loose'] } }];

test.each([
  ['for all pages of a store together', 'menu_edits.store'],
  ['for each page of a store', 'menu_edits/store/gone'],
])('what an earlier release kept %s is sent', async (store, key) => {
  const edits = [{ id: 'old', label: 'an edit', changes: calls }];
  expect(await sendKept(store, key.replace('store', store), edits)).toBe(0);
  expect(sent).toEqual([{ call: 'POST /v1/categories/starters/items/add', body: { items: ['loose'] } }]);
});

test('unsent edits are stored as calls, which the release before can read too', async () => {
  const kept: string[] = [];
  vi.stubGlobal('localStorage', {
    getItem: () => null,
    setItem: (_: string, text: string) => kept.push(text),
    removeItem: () => undefined,
  });
  await edit([
    makeLinkOperation('category', 'starters', ['loose']),
    makeReorderCategoriesOperation(['mains', 'starters']),
  ]);
  expect(JSON.parse(kept[0] ?? '')).toMatchObject([
    {
      label: 'an edit',
      changes: [...calls, { call: 'POST /v1/categories/reorder', body: { ids: ['mains', 'starters'] } }],
    },
  ]);
});

test('a stored edit with a call that changes no menu is not sent, not even in part', async () => {
  const odd = { id: 'odd', label: 'an edit', changes: [...calls, { call: 'POST /v1/orders', body: {} }] };
  expect(await sendKept('odd', 'menu_edits.odd', [odd, { id: 'old', label: 'an edit', changes: calls }])).toBe(0);
  expect(sent).toHaveLength(1);
});
