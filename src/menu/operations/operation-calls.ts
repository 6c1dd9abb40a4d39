import type { MenuChangeCallKey } from '#menu/contract-parts.ts';
import type { OperationKindsOf, MenuOperation, OperationKind, PartKind } from '#menu/operations/menu-operation.ts';

/** A call in the form of `POST /v1/menus/changes`: `{ call: 'PATCH /v1/items/{id}', id, body: { price, was } }`. */
export interface OperationCall {
  call: MenuChangeCallKey;
  id?: string;
  body: Record<string, unknown>;
}

type Listing = 'link' | 'unlink' | 'reorder';
/**
 * The API's call for an operation. If the operation changes a list, `children` names the field of the body that has the
 * ids.
 */
type CallFor<Kind extends OperationKind> = Kind extends Listing
  ? { call: MenuChangeCallKey; children: string }
  : { call: MenuChangeCallKey };
type CallTable = { [K in PartKind]: { [Kind in OperationKindsOf<K>]: CallFor<Kind> } };

function partCalls<const Path extends string>(path: Path) {
  return {
    create: { call: `POST /v1/${path}` },
    change: { call: `PATCH /v1/${path}/{id}` },
    remove: { call: `DELETE /v1/${path}/{id}` },
    restore: { call: `POST /v1/${path}/{id}/restore` },
  } as const;
}

function listCalls<const Path extends string>(path: Path, children: string, inOrder: string) {
  return {
    link: { call: `POST /v1/${path}/add`, children },
    unlink: { call: `POST /v1/${path}/remove`, children },
    reorder: { call: `POST /v1/${path}/reorder`, children: inOrder },
  } as const;
}

/** The call of every operation. A missing call is a type error. */
const calls = {
  menu: { ...partCalls('menus'), reorder: { call: 'POST /v1/categories/reorder', children: 'ids' } },
  category: { ...partCalls('categories'), ...listCalls('categories/{id}/items', 'items', 'itemIds') },
  item: { ...partCalls('items'), ...listCalls('items/{id}/option-groups', 'option_groups', 'optionGroupIds') },
  group: { ...partCalls('option-groups'), ...listCalls('option-groups/{id}/options', 'options', 'optionIds') },
  option: partCalls('options'),
} as const satisfies CallTable;

export function operationToCall(operation: MenuOperation): OperationCall {
  switch (operation.kind) {
    case 'create':
      return { call: calls[operation.part].create.call, body: operation.fields };
    case 'change': {
      const { part, id, fields, was } = operation;
      return { call: calls[part].change.call, id, body: { ...fields, ...(was && { was }) } };
    }
    case 'remove':
    case 'restore':
      return { call: calls[operation.part][operation.kind].call, id: operation.id, body: {} };
    case 'link':
    case 'unlink': {
      const { call, children } = calls[operation.part][operation.kind];
      return { call, id: operation.id, body: { [children]: operation.children } };
    }
    case 'reorder': {
      const { call, children } = calls[operation.part].reorder;
      const body = { [children]: operation.children };
      return operation.part === 'menu' ? { call, body } : { call, id: operation.id, body };
    }
  }
}

export function childrenField({ part, kind }: Extract<MenuOperation, { kind: Listing }>): string {
  const ofPart: Partial<Record<OperationKind, CallFor<Listing> | CallFor<'create'>>> = calls[part];
  const named = ofPart[kind];
  return named && 'children' in named ? named.children : '';
}

type Named = { [K in PartKind]: (typeof calls)[K][keyof (typeof calls)[K]] }[PartKind];
type NamedCall = Named extends { call: infer Call extends string } ? Call : never;
interface Meaning {
  part: PartKind;
  kind: OperationKind;
  children: string | null;
}

const meanings: ReadonlyMap<string, Meaning> = new Map(
  Object.entries(calls).flatMap(([part, ofPart]) =>
    Object.entries(ofPart).map(([kind, named]: [string, Named]): [NamedCall, Meaning] => [
      named.call,
      // The casts are needed, because `Object.entries` loses the type of the table's keys.
      { part: part as PartKind, kind: kind as OperationKind, children: 'children' in named ? named.children : null },
    ]),
  ),
);

/** Makes it a type error if a menu call of the contract has no operation. */
type OperationsOwn<Call extends NamedCall> = Call;
export const menuChangeCalls = [...meanings.keys()] as OperationsOwn<MenuChangeCallKey>[];

/**
 * The operation that a call makes; null for a call that does not change the menu. The body was parsed by the contract,
 * or stored by an earlier release. `newId` makes the id of a new part if the call has none.
 */
export function operationFromCall(
  change: { call: string; id?: string; body: object },
  newId: () => string,
): MenuOperation | null {
  const meaning = meanings.get(change.call);
  // The cast is right: the contract's schema parsed the fields of this call, now or before they were stored.
  return meaning ? (operationOf(meaning, change.id ?? '', { ...change.body }, newId) as MenuOperation) : null;
}

function operationOf(
  { part, kind, children }: Meaning,
  id: string,
  { was, ...fields }: Record<string, unknown>,
  newId: () => string,
): object {
  switch (kind) {
    case 'create':
      return { kind, part, fields: { ...fields, id: fields['id'] ?? newId() } };
    case 'change':
      return { kind, part, id, fields, ...(was !== undefined && { was }) };
    case 'remove':
    case 'restore':
      return { kind, part, id };
    case 'link':
    case 'unlink':
    case 'reorder':
      return { kind, part, ...(part !== 'menu' && { id }), children: fields[children ?? ''] };
  }
}
