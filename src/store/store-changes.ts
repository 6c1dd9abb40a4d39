import type { StaffStore, Store, StoreFields } from '#store/contract.ts';

export type StoreField = keyof StoreFields & keyof StaffStore;
export type StoreSettings = Pick<StaffStore, StoreField>;

/** Unsaved changes by field: the new value, and the value that the owner saw before the change. */
export type SettingChanges = { [F in StoreField]?: { seen: StaffStore[F]; wanted: StaffStore[F] } };

/** Adds a change to the unsaved changes. If the field has its original value again, removes the field's change. */
export function withSettingChange<F extends StoreField>(
  changes: SettingChanges,
  store: StoreSettings,
  field: F,
  wanted: StaffStore[F],
): SettingChanges {
  const seen = changes[field]?.seen ?? store[field];
  const { [field]: _before, ...rest } = changes;
  return isDeepEqual(seen, wanted) ? (rest as SettingChanges) : { ...rest, [field]: { seen, wanted } };
}

/**
 * Returns the store with complete hours entries only. In the other entries, the owner has not typed a time or a date
 * yet, and the server would refuse them.
 */
export function withoutIncompleteHours<
  S extends Partial<Pick<Store, 'special_hours'>> & Pick<Store, 'operational_hours' | 'closures'>,
>(store: S): S {
  const isTyped = ({ open, close }: { open: string; close: string }): boolean => open !== '' && close !== '';
  return {
    ...store,
    operational_hours: store.operational_hours.filter(isTyped),
    closures: store.closures.filter(({ from, to }) => from !== '' && to !== ''),
    special_hours: (store.special_hours ?? []).map((day) => ({ ...day, hours: day.hours.filter(isTyped) })),
  };
}

export function withoutFields(changes: SettingChanges, fields: readonly StoreField[]): SettingChanges {
  const left = { ...changes };
  for (const field of fields) delete left[field];
  return left;
}

export function applySettingChanges<S extends StoreSettings>(store: S, changes: SettingChanges): S {
  const wanted = Object.entries(changes).map(([field, change]) => [field, change.wanted]);
  return { ...store, ...Object.fromEntries(wanted) };
}

/**
 * Returns the body of a PATCH that saves `fields`: the new values, and in `was` the values that the owner saw before.
 * Returns null without changes.
 */
export function toPatchBody(
  changes: SettingChanges,
  fields: readonly StoreField[],
): (Partial<StoreFields> & { was: Record<string, unknown> }) | null {
  const own = fields.filter((field) => changes[field] !== undefined);
  if (own.length === 0) return null;
  const was = Object.fromEntries(own.map((field) => [field, changes[field]?.seen]));
  return { ...Object.fromEntries(own.map((field) => [field, changes[field]?.wanted])), was };
}

/**
 * Returns the body of a PATCH that reverts a saved change. The server refuses the PATCH if somebody changed one of the
 * fields after the save.
 */
export function toUndoBody(
  body: { was: Record<string, unknown> },
  saved: StoreSettings,
): Partial<StoreFields> & { was: Record<string, unknown> } {
  const now = new Map<string, unknown>(Object.entries(saved));
  const was = Object.fromEntries(Object.keys(body.was).map((field) => [field, now.get(field)]));
  return { ...body.was, was };
}

/**
 * Returns the unsaved changes after a conflict over `fields`. A field in `keepMine` stays changed, any other field gets
 * the saved value.
 */
export function changesAfterConflict(
  changes: SettingChanges,
  current: StoreSettings,
  keepMine: ReadonlySet<StoreField>,
  fields: readonly StoreField[],
): SettingChanges {
  let left = withoutFields(changes, fields);
  for (const field of fields) {
    const change = changes[field];
    if (change && keepMine.has(field)) left = withSettingChange(left, current, field, change.wanted);
  }
  return left;
}

export function isDeepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [ofA, ofB] = [new Map(Object.entries(a)), new Map(Object.entries(b))];
  return ofA.size === ofB.size && [...ofA].every(([key, value]) => ofB.has(key) && isDeepEqual(value, ofB.get(key)));
}
