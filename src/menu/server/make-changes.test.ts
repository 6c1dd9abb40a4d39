import { expect, test, vi } from 'vitest';
import type { MenuChangeCall } from '#menu/endpoints-editing.ts';
import { type ChangeTable, makeChanges, type Making } from '#menu/server/make-changes.ts';

const call = {} as Making;
const changes: MenuChangeCall[] = [
  { call: 'DELETE /v1/items/{id}', id: '01a1fe5e-138f-751d-9f7f-7de7e3ad676c', body: {} },
  { call: 'DELETE /v1/menus/{id}', id: '01a1fe5e-138f-751d-9f7f-7de7e3ad676c', body: {} },
];

test('a change that nothing makes does not compile, and does not count as made', async () => {
  const remove = vi.fn<() => Promise<void>>();
  const onProgress = vi.fn<(done: number) => void>();
  // @ts-expect-error -- the other changes' handlers are missing
  const table: ChangeTable = { 'DELETE /v1/items/{id}': remove };
  await expect(makeChanges(table, call, changes, onProgress)).rejects.toThrow('is not a function');
  expect([remove.mock.calls.length, onProgress.mock.calls]).toEqual([1, [[1]]]);
});
