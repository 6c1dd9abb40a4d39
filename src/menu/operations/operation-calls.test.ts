import { expect, test } from 'vitest';
import {
  makeChangeOperation,
  makeCreateOperation,
  makeLinkOperation,
  type MenuOperation,
  makeRemoveOperation,
  makeReorderOperation,
  makeReorderCategoriesOperation,
  makeRestoreOperation,
  makeUnlinkOperation,
} from '#menu/operations/menu-operation.ts';
import { operationToCall, menuChangeCalls, operationFromCall } from '#menu/operations/operation-calls.ts';

const newId = () => 'new';
const cases: [MenuOperation, unknown][] = [
  [
    makeCreateOperation('item', { id: 'a', name: 'A', price: 1 }),
    { call: 'POST /v1/items', body: { id: 'a', name: 'A', price: 1 } },
  ],
  [
    makeChangeOperation('group', 'a', { name: 'A' }, { name: 'B' }),
    { call: 'PATCH /v1/option-groups/{id}', id: 'a', body: { name: 'A', was: { name: 'B' } } },
  ],
  [makeChangeOperation('menu', 'a', { name: 'A' }), { call: 'PATCH /v1/menus/{id}', id: 'a', body: { name: 'A' } }],
  [makeRemoveOperation('option', 'a'), { call: 'DELETE /v1/options/{id}', id: 'a', body: {} }],
  [makeRestoreOperation('category', 'a'), { call: 'POST /v1/categories/{id}/restore', id: 'a', body: {} }],
  [
    makeLinkOperation('item', 'a', ['b']),
    { call: 'POST /v1/items/{id}/option-groups/add', id: 'a', body: { option_groups: ['b'] } },
  ],
  [
    makeUnlinkOperation('group', 'a', ['b']),
    { call: 'POST /v1/option-groups/{id}/options/remove', id: 'a', body: { options: ['b'] } },
  ],
  [
    makeReorderOperation('category', 'a', ['b']),
    { call: 'POST /v1/categories/{id}/items/reorder', id: 'a', body: { itemIds: ['b'] } },
  ],
  [makeReorderCategoriesOperation(['b']), { call: 'POST /v1/categories/reorder', body: { ids: ['b'] } }],
];

test.each(cases)('%o becomes its call, and the call becomes the operation', (operation, call) => {
  expect(operationToCall(operation)).toEqual(call);
  expect(operationFromCall(operationToCall(operation), newId)).toEqual(operation);
});

test('each call is one operation', () => {
  const operations = menuChangeCalls.map((call) => operationFromCall({ call, id: 'a', body: {} }, newId));
  const named = operations.map((operation) => `${operation?.kind} ${operation?.part}`);
  expect(new Set(named).size).toBe(menuChangeCalls.length);
  expect(operations.map((operation) => operation && operationToCall(operation).call)).toEqual(menuChangeCalls);
});

test('a creation without an id gets one, and a call that changes no menu is no operation', () => {
  expect(operationFromCall({ call: 'POST /v1/items', body: { name: 'A', price: 1 } }, newId)).toEqual(
    makeCreateOperation('item', { id: 'new', name: 'A', price: 1 }),
  );
  expect(operationFromCall({ call: 'POST /v1/items/{id}/availability', id: 'a', body: {} }, newId)).toBeNull();
});
