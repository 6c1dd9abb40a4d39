import type { MenuOperation, KindsOf, OperationOn } from '#menu/operations/menu-operation.ts';
import type { PartKind } from '#menu/operations/menu-part.ts';
import { categoryOperations } from '#menu/server/editing/category-operations.ts';
import { groupOperations } from '#menu/server/editing/group-operations.ts';
import { itemOperations } from '#menu/server/editing/item-operations.ts';
import type { OperationContext } from '#menu/server/editing/operation-context.ts';
import { menuOperations } from '#menu/server/editing/menu-operations.ts';
import { optionOperations } from '#menu/server/editing/option-operations.ts';
import type { MenuServices } from '#menu/server/services.ts';

/** The function that writes each operation to the database; an operation without one does not compile. */
export type OperationTable = {
  [K in PartKind]: {
    [Kind in KindsOf<K>]: (call: OperationContext, operation: OperationOn<K, Kind>) => Promise<unknown>;
  };
};

/** Each returns the changed row. */
export type MenuOperations = ReturnType<typeof createOperations>;

export function createOperations(services: Pick<MenuServices, 'config' | 'menus' | 'outbox'>) {
  return {
    menu: menuOperations(services),
    category: categoryOperations(services),
    item: itemOperations(services),
    group: groupOperations(services),
    option: optionOperations(services),
  } satisfies OperationTable;
}

/** Writes one operation in the transaction `call.db`. */
export async function makeOperation(
  table: OperationTable,
  call: OperationContext,
  operation: MenuOperation,
): Promise<void> {
  const ofPart: Record<string, unknown> = table[operation.part];
  // The types above check the table; here the operation's own function is looked up.
  const make = ofPart[operation.kind] as (call: OperationContext, operation: MenuOperation) => Promise<unknown>;
  await make(call, operation);
}
