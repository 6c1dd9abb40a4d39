import { expect, test, vi } from 'vitest';
import type { MenuChangeCall } from '#menu/contract-editing.ts';
import type { OperationContext } from '#menu/server/editing/operation-context.ts';
import type { OperationTable } from '#menu/server/editing/operation-table.ts';
import { makeChanges } from '#menu/server/editing/make-changes.ts';

const call = {} as OperationContext;
const changes: MenuChangeCall[] = [
  { call: 'DELETE /v1/items/{id}', id: '01a1fe5e-138f-751d-9f7f-7de7e3ad676c', body: {} },
  { call: 'POST /v1/items/{id}/restore', id: '01a1fe5e-138f-751d-9f7f-7de7e3ad676c', body: {} },
];

test('an operation that nothing makes does not compile, and does not count as made', async () => {
  const remove = vi.fn<() => Promise<void>>();
  const onProgress = vi.fn<(done: number) => void>();
  // @ts-expect-error -- the other operations on items are missing
  const item: OperationTable['item'] = { remove };
  // @ts-expect-error -- the other parts' operations are missing
  const table: OperationTable = { item };
  await expect(makeChanges(table, call, changes, onProgress)).rejects.toThrow('is not a function');
  expect([remove.mock.calls.length, onProgress.mock.calls]).toEqual([1, [[1]]]);
});
