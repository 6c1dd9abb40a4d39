import { expect, test } from 'vitest';
import {
  changeOperation,
  createOperation,
  linkOperation,
  type MenuOperation,
  removeOperation,
  reorderOperation,
  reorderCategoriesOperation,
  restoreOperation,
  unlinkOperation,
} from '#menu/operations/menu-operation.ts';
import { operationToCall, menuCalls, operationFromCall } from '#menu/operations/operation-calls.ts';

const newId = () => 'new';
const cases: [MenuOperation, unknown][] = [
  [
    createOperation('item', { id: 'a', name: 'A', price: 1 }),
    { call: 'POST /v1/items', body: { id: 'a', name: 'A', price: 1 } },
  ],
  [
    changeOperation('group', 'a', { name: 'A' }, { name: 'B' }),
    { call: 'PATCH /v1/option-groups/{id}', id: 'a', body: { name: 'A', was: { name: 'B' } } },
  ],
  [changeOperation('menu', 'a', { name: 'A' }), { call: 'PATCH /v1/menus/{id}', id: 'a', body: { name: 'A' } }],
  [removeOperation('option', 'a'), { call: 'DELETE /v1/options/{id}', id: 'a', body: {} }],
  [restoreOperation('category', 'a'), { call: 'POST /v1/categories/{id}/restore', id: 'a', body: {} }],
  [
    linkOperation('item', 'a', ['b']),
    { call: 'POST /v1/items/{id}/option-groups/add', id: 'a', body: { option_groups: ['b'] } },
  ],
  [
    unlinkOperation('group', 'a', ['b']),
    { call: 'POST /v1/option-groups/{id}/options/remove', id: 'a', body: { options: ['b'] } },
  ],
  [
    reorderOperation('category', 'a', ['b']),
    { call: 'POST /v1/categories/{id}/items/reorder', id: 'a', body: { itemIds: ['b'] } },
  ],
  [reorderCategoriesOperation(['b']), { call: 'POST /v1/categories/reorder', body: { ids: ['b'] } }],
];

test.each(cases)('%o becomes its call, and the call becomes the operation', (operation, call) => {
  expect(operationToCall(operation)).toEqual(call);
  expect(operationFromCall(operationToCall(operation), newId)).toEqual(operation);
});

test('each call is one operation', () => {
  const operations = menuCalls.map((call) => operationFromCall({ call, id: 'a', body: {} }, newId));
  const named = operations.map((operation) => `${operation?.kind} ${operation?.part}`);
  expect(new Set(named).size).toBe(menuCalls.length);
  expect(operations.map((operation) => operation && operationToCall(operation).call)).toEqual(menuCalls);
});

test('a creation without an id gets one, and a call that changes no menu is no operation', () => {
  expect(operationFromCall({ call: 'POST /v1/items', body: { name: 'A', price: 1 } }, newId)).toEqual(
    createOperation('item', { id: 'new', name: 'A', price: 1 }),
  );
  expect(operationFromCall({ call: 'POST /v1/items/{id}/availability', id: 'a', body: {} }, newId)).toBeNull();
});
