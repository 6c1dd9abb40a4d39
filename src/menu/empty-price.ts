import type { PartKind } from '#menu/operations/menu-operation.ts';

/**
 * The price that an empty field means, in minor units: 0 for an option. Null for a part that requires a price, and for
 * a part that has no price.
 */
export function priceOfEmptyField<Kind extends PartKind>(kind: Kind): Kind extends 'option' ? 0 : null {
  // The compiler cannot derive the result's type from the condition.
  return (kind === 'option' ? 0 : null) as Kind extends 'option' ? 0 : null;
}
