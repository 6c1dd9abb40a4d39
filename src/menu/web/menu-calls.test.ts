import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as calls from '#menu/web/menu-calls.ts';

let sent: { call: string; body: unknown }[];
beforeEach(() => {
  sent = [];
  vi.stubGlobal('location', { href: 'https://shop.example/admin/menuEditor' });
  vi.stubGlobal('fetch', async (url: URL, { method, body }: { method: string; body: string }) => {
    sent.push({ call: `${method} ${url.pathname}`, body: JSON.parse(body) });
    return new Response(null, { status: 204 });
  });
});
afterEach(() => vi.unstubAllGlobals());

test('an empty list of what to add, to remove, or of categories to order sends nothing', async () => {
  await calls.addItemsToCategory('c', []);
  await calls.removeItemsFromCategory('c', []);
  await calls.reorderCategories([]);
  await calls.addOptionGroupsToItem('i', []);
  await calls.removeOptionGroupsFromItem('i', []);
  expect(sent).toEqual([]);
});

test("the order of an item's option groups is always sent, an empty one too", async () => {
  await calls.reorderOptionGroupsOfItem('i', []);
  expect(sent).toEqual([{ call: 'POST /v1/items/i/option-groups/reorder', body: { optionGroupIds: [] } }]);
});

test('whatever is in the list is sent under the name that the call has for it', async () => {
  await calls.addItemsToCategory('c', ['1', '2']);
  await calls.removeItemsFromCategory('c', ['1']);
  await calls.reorderCategories(['c', 'd']);
  await calls.reorderItemsOfCategory('c', ['2', '1']);
  await calls.addOptionGroupsToItem('i', ['g']);
  await calls.removeOptionGroupsFromItem('i', ['g']);
  await calls.reorderOptionGroupsOfItem('i', ['h', 'g']);
  expect(sent).toEqual([
    { call: 'POST /v1/categories/c/items/add', body: { items: ['1', '2'] } },
    { call: 'POST /v1/categories/c/items/remove', body: { items: ['1'] } },
    { call: 'POST /v1/categories/reorder', body: { ids: ['c', 'd'] } },
    { call: 'POST /v1/categories/c/items/reorder', body: { itemIds: ['2', '1'] } },
    { call: 'POST /v1/items/i/option-groups/add', body: { option_groups: ['g'] } },
    { call: 'POST /v1/items/i/option-groups/remove', body: { option_groups: ['g'] } },
    { call: 'POST /v1/items/i/option-groups/reorder', body: { optionGroupIds: ['h', 'g'] } },
  ]);
});
