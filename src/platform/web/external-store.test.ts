import { expect, test } from 'vitest';
import { createExternalStore } from '#platform/web/external-store.ts';

test('tells listeners of a change until they leave, and holds the new state by then', () => {
  const store = createExternalStore(() => 1);
  const heard: number[] = [];
  const leave = store.subscribe(() => heard.push(store.read()));
  store.set(2);
  leave();
  store.set(3);
  expect(heard).toEqual([2]);
  expect(store.read()).toBe(3);
});

test('does what it does while it is heard from the first listener until the last has left', () => {
  const steps: string[] = [];
  const store = createExternalStore(
    () => 1,
    () => {
      steps.push('begin');
      return () => steps.push('end');
    },
  );
  const leave = store.subscribe(() => undefined);
  const leaveToo = store.subscribe(() => undefined);
  leave();
  leave();
  expect(steps).toEqual(['begin']);
  leaveToo();
  store.subscribe(() => undefined);
  expect(steps).toEqual(['begin', 'end', 'begin']);
});
