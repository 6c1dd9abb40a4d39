import { expect, test } from 'vitest';
import { makeStore } from '#platform/web/store.ts';

test('tells listeners of a change until they leave, and holds the new state by then', () => {
  const store = makeStore(1);
  const heard: number[] = [];
  const leave = store.subscribe(() => heard.push(store.read()));
  store.set(2);
  leave();
  store.set(3);
  expect(heard).toEqual([2]);
  expect(store.read()).toBe(3);
});
