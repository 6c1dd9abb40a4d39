import { expect, test, vi } from 'vitest';
import type { MenuChangeCall } from '#menu/contract.ts';
import type { EditMenu, OperationContext } from '#menu/server/editing/edit-menu.ts';
import type { MenuOperation } from '#menu/operations/menu-operation.ts';
import { applyMenuChanges } from '#menu/server/handlers.ts';

const call = {} as OperationContext;
const changes: MenuChangeCall[] = [
  { call: 'DELETE /v1/items/{id}', id: '01a1fe5e-138f-751d-9f7f-7de7e3ad676c', body: {} },
  { call: 'POST /v1/items/{id}/restore', id: '01a1fe5e-138f-751d-9f7f-7de7e3ad676c', body: {} },
];

test('an operation that fails does not count as made', async () => {
  const edit = vi.fn<(call: OperationContext, operation: MenuOperation) => Promise<unknown>>();
  edit.mockRejectedValue(new Error('nothing makes it'));
  edit.mockResolvedValueOnce({});
  const onProgress = vi.fn<(done: number) => void>();
  await expect(applyMenuChanges(edit as EditMenu, call, changes, onProgress)).rejects.toThrow('nothing makes it');
  expect([edit.mock.calls.map(([, { kind }]) => kind), onProgress.mock.calls]).toEqual([['remove', 'restore'], [[1]]]);
});
