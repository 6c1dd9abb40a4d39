import type { PartKind } from '#menu/operations/menu-operation.ts';

/**
 * The price that an empty field means, in minor units: 0 for an option. Null if the part requires a price, or has none.
 */
export function priceOfEmptyField<Kind extends PartKind>(kind: Kind): Kind extends 'option' ? 0 : null {
  // The compiler does not see that the condition gives each kind its result.
  return (kind === 'option' ? 0 : null) as Kind extends 'option' ? 0 : null;
}
