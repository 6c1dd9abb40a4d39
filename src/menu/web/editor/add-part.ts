import { v7 as newId } from 'uuid';
import { m } from '#messages';
import { applyOperations } from '#menu/operations/apply-operation.ts';
import {
  linkedChildIds,
  makeCreateOperation,
  makeLinkOperation,
  type MenuOperation,
  type PartKind,
} from '#menu/operations/menu-operation.ts';
import { noExtraAllergens } from '#menu/price-group.ts';
import type { MenuEditingState } from '#menu/web/editor/session/editing-context.ts';
import { isMovable, makeMoveOperations, parentKinds } from '#menu/web/editor/tree/tree-rows.ts';

/** The fields of the short form for a new part. The price, which only dishes and options have, is in minor units. */
interface NewPartFields {
  name: string;
  price?: number;
}

/**
 * Creates a part and returns its id. The part goes behind `after` or to the end of its parent's list; without a parent
 * it is in no list.
 */
export function createMenuPart(
  { edit, parts, index, store }: Pick<MenuEditingState, 'edit' | 'parts' | 'index' | 'store'>,
  kind: PartKind,
  parentId: string | null,
  asked: NewPartFields,
  after?: string,
): string {
  const id = newId();
  const parent = isMovable(kind) ? parentKinds[kind] : 'menu';
  const linked = parent !== 'menu' && parentId !== null ? [makeLinkOperation(parent, parentId, [id])] : [];
  const isSize = kind === 'option' && index.groups.get(parentId ?? '')?.pricing === 'is_price';
  const fields = { id, ...asked, ...(isSize && noExtraAllergens) };
  const made = [creationOf(kind, fields, store.id, parentId), ...linked];
  const at = parentId === null ? -1 : linkedChildIds(parts, parent, parentId).indexOf(after ?? '');
  const placed =
    at < 0 || parentId === null || !isMovable(kind)
      ? []
      : makeMoveOperations(applyOperations(parts, made), { kind, id, from: parentId, to: parentId, at: at + 1 });
  edit(m.menu_edit_added({ name: asked.name }), [...made, ...placed]);
  return id;
}

function creationOf(
  kind: PartKind,
  { id, name, price = 0, ...allergens }: NewPartFields & { id: string } & Partial<typeof noExtraAllergens>,
  storeId: string,
  parentId: string | null,
): MenuOperation {
  switch (kind) {
    case 'menu':
      return makeCreateOperation('menu', { id, name, store_id: storeId });
    case 'category':
      return makeCreateOperation('category', { id, name, menu_id: parentId ?? '' });
    case 'item':
      return makeCreateOperation('item', { id, name, price, store_id: storeId });
    case 'group':
      return makeCreateOperation('group', { id, name, store_id: storeId });
    case 'option':
      return makeCreateOperation('option', { id, name, price, store_id: storeId, ...allergens });
  }
}
