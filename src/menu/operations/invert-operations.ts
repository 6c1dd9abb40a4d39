import type { MenuParts } from '#menu/fields.ts';
import { applyOperation } from '#menu/operations/apply-operation.ts';
import {
  type ChangeOperation,
  makeChangeOperation,
  linkedChildIds,
  findPart,
  makeLinkOperation,
  type MenuOperation,
  makeRemoveOperation,
  makeReorderOperation,
  makeReorderCategoriesOperation,
  makeRestoreOperation,
  makeUnlinkOperation,
  type UnlinkOperation,
} from '#menu/operations/menu-operation.ts';
import { consistentAllergenFields } from '#menu/allergen-answers.ts';
import { normaliseStockFields } from '#menu/sold-out.ts';

export function invertOperations(parts: MenuParts, operations: readonly MenuOperation[]): MenuOperation[] {
  const undo: MenuOperation[][] = [];
  let now = parts;
  for (const operation of operations) {
    const after = applyOperation(now, operation);
    undo.unshift(undoOperation(now, after, operation));
    now = after;
  }
  return undo.flat();
}

function undoOperation(before: MenuParts, after: MenuParts, operation: MenuOperation): MenuOperation[] {
  switch (operation.kind) {
    case 'create':
      return [makeRemoveOperation(operation.part, operation.fields.id)];
    case 'remove':
      return [makeRestoreOperation(operation.part, operation.id)];
    case 'restore':
      return [makeRemoveOperation(operation.part, operation.id)];
    case 'change':
      return undoChange(before, after, operation);
    case 'reorder': {
      if (operation.part !== 'menu')
        return [
          makeReorderOperation(operation.part, operation.id, linkedChildIds(before, operation.part, operation.id)),
        ];
      const [first = ''] = operation.children;
      return [
        makeReorderCategoriesOperation(
          linkedChildIds(before, 'menu', findPart(before, 'category', first)?.menu_id ?? ''),
        ),
      ];
    }
    case 'link': {
      const known = new Set(linkedChildIds(before, operation.part, operation.id));
      const added = operation.children.filter((child) => !known.has(child));
      return added.length > 0 ? [makeUnlinkOperation(operation.part, operation.id, added)] : [];
    }
    case 'unlink':
      return undoUnlink(before, after, operation);
  }
}

function undoChange(before: MenuParts, after: MenuParts, { part, id, fields }: ChangeOperation): MenuOperation[] {
  const was = findPart(before, part, id);
  const now = findPart(after, part, id);
  if (!was || !now) return [];
  const named = new Set(
    Object.keys({ ...fields, ...normaliseStockFields(fields), ...consistentAllergenFields(fields) }),
  );
  const only = (one: object) => Object.fromEntries(Object.entries(one).filter(([field]) => named.has(field)));
  // The call sets the old values, and is refused if the new values have changed since.
  const back = makeChangeOperation(part, id, only(was) as ChangeOperation['fields'], only(now));
  const isMoved = 'menu_id' in was && 'menu_id' in now && was.menu_id !== now.menu_id;
  return isMoved ? [back, makeReorderCategoriesOperation(linkedChildIds(before, 'menu', was.menu_id))] : [back];
}

function undoUnlink(before: MenuParts, after: MenuParts, operation: UnlinkOperation): MenuOperation[] {
  const { part, id, children } = operation;
  const known = linkedChildIds(before, part, id);
  const taken = children.filter((child) => known.includes(child));
  if (taken.length === 0) return [];
  return [
    makeLinkOperation(part, id, taken),
    makeReorderOperation(part, id, known),
    ...lostLinks(before, after, operation),
  ];
}

/** The operations that restore the data of removed links: prices in a group, and conditions on items. */
function lostLinks(before: MenuParts, after: MenuParts, { part, id }: UnlinkOperation): MenuOperation[] {
  const operations: MenuOperation[] = [];
  const group = part === 'group' ? findPart(before, 'group', id) : undefined;
  const prices = group?.options.filter((option) => option.price_override !== null) ?? [];
  if (prices.length > 0) operations.push(makeChangeOperation('group', id, { options: prices }));
  if (part === 'category') return operations;
  for (const item of before.items) {
    const left = new Map(
      findPart(after, 'item', item.id)?.option_groups.map((one) => [one.id, one.shown_when_option_id]),
    );
    const lost = item.option_groups.filter(
      (one) => one.shown_when_option_id !== null && (left.get(one.id) ?? null) === null,
    );
    if (lost.length > 0) operations.push(makeChangeOperation('item', item.id, { option_groups: lost }));
  }
  return operations;
}
