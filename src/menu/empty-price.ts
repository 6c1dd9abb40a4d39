import type { PartKind } from '#menu/operations/menu-operation.ts';

/** The value of an empty price in minor units: 0 for an option. null: the part requires a price, or has none. */
export function emptyPrice<Kind extends PartKind>(kind: Kind): Kind extends 'option' ? 0 : null {
  // The type gives each kind's result, which a condition cannot show.
  return (kind === 'option' ? 0 : null) as Kind extends 'option' ? 0 : null;
}
