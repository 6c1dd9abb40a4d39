import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MenuParts } from '#menu/fields.ts';
import { applyOperations } from '#menu/operations/apply-operation.ts';
import {
  makeChangeOperation,
  makeCreateOperation,
  type MenuOperation,
  makeReorderOperation,
} from '#menu/operations/menu-operation.ts';
import { operationToCall, menuChangeCalls } from '#menu/operations/operation-calls.ts';
import { drawOn, manyCreations, manyOperations } from '#menu/testing/draw-operations.ts';
import { invertOperations } from '#menu/operations/invert-operations.ts';
import { pureDraws, slowDraws } from '#testing/draws.ts';
import { seedSmallShop } from '#testing/small-shop.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await startTestApp();
  token = await app.signIn('admin');
});
afterAll(() => app.close());

const read = async (storeId: string): Promise<MenuParts> =>
  (await app.request('GET', `/v1/menus/store/${storeId}/parts`, { token })).body.data;

async function make(operations: readonly MenuOperation[]): Promise<void> {
  if (operations.length === 0) return;
  const changes = operations.map(operationToCall);
  const { status, body } = await app.request('POST', '/v1/menus/changes', { token, body: { changes } });
  expect({ status, body, refused: changes[body?.change ?? -1] }).toMatchObject({ status: 204 });
}

/** A shop with two menus, and a dish whose toppings show with the large size. */
async function openShop(): Promise<string> {
  const { storeId, pizza, size, topping } = await seedSmallShop(app.database.db);
  const menuId = randomUUID();
  await make([
    // With the positions that operations give to every list: 0 … n−1.
    makeReorderOperation('group', topping.group, [topping.olives, topping.chilli, topping.cheese]),
    makeChangeOperation('item', pizza, { option_groups: [{ id: topping.group, shown_when_option_id: size.large }] }),
    makeCreateOperation('menu', { id: menuId, name: 'Lunch', store_id: storeId }),
    makeCreateOperation('category', { id: randomUUID(), name: 'Soups', menu_id: menuId }),
  ]);
  return storeId;
}

/** Menus, categories and links stay in their order; the server sorts everything else by name. */
function inOneOrder(parts: MenuParts): MenuParts {
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
  return {
    ...parts,
    version: 0,
    menus: parts.menus.toSorted((a, b) => a.position - b.position),
    categories: parts.categories.toSorted((a, b) => a.menu_id.localeCompare(b.menu_id) || a.position - b.position),
    items: parts.items.toSorted(byId),
    option_groups: parts.option_groups.toSorted(byId),
    options: parts.options.toSorted(byId),
  };
}

test('server and browser come to the same menu, and undo restores the menu before', async () => {
  await fc.assert(
    fc.asyncProperty(manyCreations, manyOperations, fc.boolean(), async (creating, changing, isOneByOne) => {
      const storeId = await openShop();
      await make(drawOn(await read(storeId), creating));
      const before = await read(storeId);
      const operations = drawOn(before, changing);
      // Alone, an edit of one part's own fields reads nothing else of the menu.
      if (isOneByOne) for (const one of operations) await make([one]);
      else await make(operations);
      expect(inOneOrder(await read(storeId))).toEqual(inOneOrder(applyOperations(before, operations)));

      const undo = invertOperations(before, operations);
      await make(undo);
      expect(inOneOrder(await read(storeId))).toEqual(inOneOrder(before));
    }),
    { numRuns: slowDraws },
  );
}, 120_000);

test('every call is drawn', async () => {
  const parts = await read(await openShop());
  const made = new Set<string>();
  for (const [creating, changing] of fc.sample(fc.tuple(manyCreations, manyOperations), pureDraws)) {
    const before = applyOperations(parts, drawOn(parts, creating));
    const operations = drawOn(before, changing);
    for (const one of [...operations, ...invertOperations(before, operations)]) made.add(operationToCall(one).call);
  }
  expect(menuChangeCalls.filter((call) => !made.has(call))).toEqual([]);
});
