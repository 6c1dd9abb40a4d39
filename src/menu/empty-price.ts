import type { PartKind } from '#menu/operations/menu-operation.ts';

/** The price in minor units that an empty price field means: 0 for an option, null for other parts. */
export function priceOfEmptyField<Kind extends PartKind>(kind: Kind): Kind extends 'option' ? 0 : null {
  // The cast is needed, because the compiler cannot derive the result's type from the condition.
  return (kind === 'option' ? 0 : null) as Kind extends 'option' ? 0 : null;
}
