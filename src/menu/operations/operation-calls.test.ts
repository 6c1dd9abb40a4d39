import { expect, test } from 'vitest';
import {
  change,
  create,
  link,
  type MenuOperation,
  remove,
  reorder,
  reorderCategories,
  restore,
  unlink,
} from '#menu/operations/menu-operation.ts';
import { callOf, menuCalls, readOperation } from '#menu/operations/operation-calls.ts';

const newId = () => 'new';
const cases: [MenuOperation, unknown][] = [
  [
    create('item', { id: 'a', name: 'A', price: 1 }),
    { call: 'POST /v1/items', body: { id: 'a', name: 'A', price: 1 } },
  ],
  [
    change('group', 'a', { name: 'A' }, { name: 'B' }),
    { call: 'PATCH /v1/option-groups/{id}', id: 'a', body: { name: 'A', was: { name: 'B' } } },
  ],
  [change('menu', 'a', { name: 'A' }), { call: 'PATCH /v1/menus/{id}', id: 'a', body: { name: 'A' } }],
  [remove('option', 'a'), { call: 'DELETE /v1/options/{id}', id: 'a', body: {} }],
  [restore('category', 'a'), { call: 'POST /v1/categories/{id}/restore', id: 'a', body: {} }],
  [
    link('item', 'a', ['b']),
    { call: 'POST /v1/items/{id}/option-groups/add', id: 'a', body: { option_groups: ['b'] } },
  ],
  [
    unlink('group', 'a', ['b']),
    { call: 'POST /v1/option-groups/{id}/options/remove', id: 'a', body: { options: ['b'] } },
  ],
  [
    reorder('category', 'a', ['b']),
    { call: 'POST /v1/categories/{id}/items/reorder', id: 'a', body: { itemIds: ['b'] } },
  ],
  [reorderCategories(['b']), { call: 'POST /v1/categories/reorder', body: { ids: ['b'] } }],
];

test.each(cases)('%o becomes its call, and the call becomes the operation', (operation, call) => {
  expect(callOf(operation)).toEqual(call);
  expect(readOperation(callOf(operation), newId)).toEqual(operation);
});

test('each call is one operation', () => {
  const operations = menuCalls.map((call) => readOperation({ call, id: 'a', body: {} }, newId));
  const named = operations.map((operation) => `${operation?.kind} ${operation?.part}`);
  expect(new Set(named).size).toBe(menuCalls.length);
  expect(operations.map((operation) => operation && callOf(operation).call)).toEqual(menuCalls);
});

test('a creation without an id gets one, and a call that changes no menu is no operation', () => {
  expect(readOperation({ call: 'POST /v1/items', body: { name: 'A', price: 1 } }, newId)).toEqual(
    create('item', { id: 'new', name: 'A', price: 1 }),
  );
  expect(readOperation({ call: 'POST /v1/items/{id}/availability', id: 'a', body: {} }, newId)).toBeNull();
});
