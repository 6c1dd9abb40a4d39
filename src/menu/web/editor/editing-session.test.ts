import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { editingSession, partsKey } from '#menu/web/editor/editing-session.ts';
import { type Change, link, reorder, reorderCategories, unlink } from '#menu/web/editor/menu-change.ts';
import { sampleParts } from '#menu/web/editor/sample-parts.ts';
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

/** Makes one edit after another, and answers once all of them are sent. */
async function edit(...edits: Change[][]): Promise<ReturnType<typeof editingSession>> {
  const storeId = `store ${(stores += 1)}`;
  queryClient.setQueryData(partsKey(storeId), sampleParts());
  const session = editingSession(storeId);
  for (const changes of edits) session.edit('an edit', changes);
  await expect.poll(() => session.read().edits).toEqual([]);
  return session;
}

test('an empty list of what to add, to remove, or of categories to order sends nothing, and leaves nothing to undo', async () => {
  const session = await edit(
    [link('category', 'mains', [])],
    [unlink('category', 'mains', [])],
    [reorderCategories([])],
    [link('item', 'soup', [])],
    [unlink('item', 'soup', [])],
  );
  expect(sent).toEqual([]);
  expect(session.read().past).toEqual([]);
});

test("the order of an item's option groups is always sent, an empty one too", async () => {
  await edit([reorder('item', 'soup', [])]);
  expect(sent).toEqual([{ call: 'POST /v1/items/soup/option-groups/reorder', body: { optionGroupIds: [] } }]);
});

test('whatever is in the list is sent under the name that the call has for it', async () => {
  await edit(
    [link('category', 'starters', ['soup', 'loose'])],
    [unlink('category', 'starters', ['soup'])],
    [reorderCategories(['mains', 'starters'])],
    [reorder('category', 'mains', ['pizza', 'soup'])],
    [link('item', 'soup', ['size'])],
    [unlink('item', 'soup', ['size'])],
    [reorder('item', 'pizza', ['topping', 'size'])],
    [reorder('group', 'size', ['large', 'small'])],
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

test('what an older version kept for all pages of a store is sent', async () => {
  const storeId = 'kept store';
  const key = `menu_edits.${storeId}`;
  const edits = [{ id: 'old', label: 'an edit', changes: [link('category', 'starters', ['loose'])] }];
  const stored = new Map([[key, JSON.stringify(edits)]]);
  vi.stubGlobal('localStorage', {
    [key]: '',
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => stored.set(name, text),
    removeItem: (name: string) => stored.delete(name),
  });
  queryClient.setQueryData(partsKey(storeId), sampleParts());
  const session = editingSession(storeId);
  await expect.poll(() => sent.length).toBe(1);
  await expect.poll(() => session.read().edits).toEqual([]);
  expect(stored.size).toBe(0);
});
