import { describe, expect, test } from 'vitest';
import {
  applySettingChanges,
  toPatchBody,
  type SettingChanges,
  isDeepEqual,
  changesAfterConflict,
  type StoreSettings,
  toUndoBody,
  withSettingChange,
} from '#store/store-changes.ts';

/** As much of a store as these tests look at. */
const store = { name: 'Nonna', phone: '1', closures: [] } as unknown as StoreSettings;

describe('changes of a form', () => {
  test('send only what is different, with what was seen', () => {
    const changes = withSettingChange({}, store, 'phone', '2');
    expect(toPatchBody(changes, ['name', 'phone'])).toEqual({ phone: '2', was: { phone: '1' } });
    expect(toPatchBody(changes, ['name'])).toBeNull();
    expect(applySettingChanges(store, changes)).toMatchObject({ name: 'Nonna', phone: '2' });
  });

  test('are gone when a field is as it was', () => {
    expect(withSettingChange(withSettingChange({}, store, 'phone', '2'), store, 'phone', '1')).toEqual({});
  });

  test('remember what was seen first, whatever the store becomes meanwhile', () => {
    const first = withSettingChange({}, store, 'phone', '2');
    const later = withSettingChange(first, { ...store, phone: '9' }, 'phone', '3');
    expect(toPatchBody(later, ['phone'])).toEqual({ phone: '3', was: { phone: '1' } });
  });

  test('after a refusal, mine are meant over what is there now and theirs are let be', () => {
    const changes = withSettingChange(withSettingChange({}, store, 'phone', '2'), store, 'name', 'Mine');
    const current = { ...store, phone: '9', name: 'Theirs' };
    const left: SettingChanges = changesAfterConflict(changes, current, new Set(['phone']), ['phone', 'name']);
    expect(toPatchBody(left, ['phone', 'name'])).toEqual({ phone: '2', was: { phone: '9' } });
  });

  test('can be taken back over exactly what was saved', () => {
    const saved = { ...store, phone: '+44 2' };
    expect(toUndoBody({ was: { phone: '1' } }, saved)).toEqual({ phone: '1', was: { phone: '+44 2' } });
  });
});

test.each([
  [{ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 }, true],
  [{ a: 1 }, { a: 1, b: undefined }, false],
  [[1, 2], [2, 1], false],
  [[], {}, false],
  [null, {}, false],
  ['1', 1, false],
])('%o and %o are the same: %s', (a, b, expected) => {
  expect(isDeepEqual(a, b)).toBe(expected);
});
