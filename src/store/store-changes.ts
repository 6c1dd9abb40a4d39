import type { StaffStore, StoreFields } from '#store/contract.ts';

export type Field = keyof StoreFields & keyof StaffStore;
export type Settings = Pick<StaffStore, Field>;

/** Unsaved changes by field: the new value, and the value that the owner saw before. */
export type Changes = { [F in Field]?: { seen: StaffStore[F]; wanted: StaffStore[F] } };

/** The changes with one more; a field with its original value is removed. */
export function withChange<F extends Field>(
  changes: Changes,
  store: Settings,
  field: F,
  wanted: StaffStore[F],
): Changes {
  const seen = changes[field]?.seen ?? store[field];
  const { [field]: _before, ...rest } = changes;
  return isSame(seen, wanted) ? (rest as Changes) : { ...rest, [field]: { seen, wanted } };
}

export function withoutFields(changes: Changes, fields: readonly Field[]): Changes {
  const left = { ...changes };
  for (const field of fields) delete left[field];
  return left;
}

export function applyChanges<S extends Settings>(store: S, changes: Changes): S {
  const wanted = Object.entries(changes).map(([field, change]) => [field, change.wanted]);
  return { ...store, ...Object.fromEntries(wanted) };
}

/**
 * The body of a PATCH that saves `fields`: their new values, and in `was` the values seen before; null without changes.
 */
export function bodyOf(
  changes: Changes,
  fields: readonly Field[],
): (Partial<StoreFields> & { was: Record<string, unknown> }) | null {
  const own = fields.filter((field) => changes[field] !== undefined);
  if (own.length === 0) return null;
  const was = Object.fromEntries(own.map((field) => [field, changes[field]?.seen]));
  return { ...Object.fromEntries(own.map((field) => [field, changes[field]?.wanted])), was };
}

/** The body of a PATCH that undoes a saved one; the server refuses it if somebody changed a field since. */
export function undoOf(
  body: { was: Record<string, unknown> },
  saved: Settings,
): Partial<StoreFields> & { was: Record<string, unknown> } {
  const now = new Map<string, unknown>(Object.entries(saved));
  const was = Object.fromEntries(Object.keys(body.was).map((field) => [field, now.get(field)]));
  return { ...body.was, was };
}

/**
 * The unsaved changes after a conflict over `fields`: a field in `keepMine` stays changed, any other takes the saved
 * value.
 */
export function settled(
  changes: Changes,
  current: Settings,
  keepMine: ReadonlySet<Field>,
  fields: readonly Field[],
): Changes {
  let left = withoutFields(changes, fields);
  for (const field of fields) {
    const change = changes[field];
    if (change && keepMine.has(field)) left = withChange(left, current, field, change.wanted);
  }
  return left;
}

/** Whether two values are equal, whatever the order of their keys. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [ofA, ofB] = [new Map(Object.entries(a)), new Map(Object.entries(b))];
  return ofA.size === ofB.size && [...ofA].every(([key, value]) => ofB.has(key) && isSame(value, ofB.get(key)));
}
