import type { MenuParts } from '#menu/endpoints-editing.ts';
import { applyChange } from '#menu/web/editor/apply-change.ts';
import {
  type Change,
  childrenOf,
  deedOf,
  idsIn,
  link,
  patch,
  remove,
  reorder,
  reorderCategories,
  restore,
  unlink,
} from '#menu/web/editor/menu-change.ts';
import { findPart, type PartKind, type PartOf } from '#menu/web/editor/menu-part.ts';

/** The changes that lead from the menu after `changes` back to `parts`, the menu before them. */
export function undoOf(parts: MenuParts, changes: readonly Change[]): Change[] {
  const undo: Change[][] = [];
  let now = parts;
  for (const change of changes) {
    const after = applyChange(now, change);
    undo.unshift(undoOne(now, after, change));
    now = after;
  }
  return undo.flat();
}

function undoOne(before: MenuParts, after: MenuParts, change: Change): Change[] {
  const deed = deedOf(change);
  const { id = '' } = change;
  switch (deed.kind) {
    case 'create':
      return [remove(deed.part, String(change.body['id']))];
    case 'delete':
      return [restore(deed.part, id)];
    case 'restore':
      return [remove(deed.part, id)];
    case 'patch':
      return undoPatch(before, after, deed.part, id, change.body);
    case 'reorderCategories': {
      const [first = ''] = idsIn(change, 'ids');
      const menuId = findPart(before, 'category', first)?.menu_id ?? '';
      return [reorderCategories(childrenOf(before, 'menu', menuId))];
    }
    case 'reorder':
      return [reorder(deed.parent, id, childrenOf(before, deed.parent, id))];
    case 'link': {
      const known = new Set(childrenOf(before, deed.parent, id));
      const added = idsIn(change, deed.field).filter((one) => !known.has(one));
      return added.length > 0 ? [unlink(deed.parent, id, added)] : [];
    }
    case 'unlink': {
      const known = childrenOf(before, deed.parent, id);
      const taken = idsIn(change, deed.field).filter((one) => known.includes(one));
      if (taken.length === 0) return [];
      return [
        link(deed.parent, id, taken),
        reorder(deed.parent, id, known),
        ...lostLinks(before, after, deed.parent, id),
      ];
    }
  }
}

function undoPatch(
  before: MenuParts,
  after: MenuParts,
  kind: PartKind,
  id: string,
  body: Record<string, unknown>,
): Change[] {
  const was = findPart(before, kind, id);
  const now = findPart(after, kind, id);
  if (!was || !now) return [];
  const fields = new Set(Object.keys(body).filter((field) => field !== 'was'));
  const named = (part: PartOf<PartKind>) =>
    Object.fromEntries(Object.entries(part).filter(([field]) => fields.has(field)));
  const back = { call: patch(kind, now, {}).call, id, body: { ...named(was), was: named(now) } };
  const { menu_id: oldMenu } = named(was);
  const moved = kind === 'category' && typeof oldMenu === 'string' && oldMenu !== named(now)['menu_id'];
  return moved ? [back, reorderCategories(childrenOf(before, 'menu', oldMenu))] : [back];
}

/** What the links said that went: prices within a group, and conditions on items that went with them. */
function lostLinks(before: MenuParts, after: MenuParts, parent: 'category' | 'item' | 'group', id: string): Change[] {
  const changes: Change[] = [];
  const group = parent === 'group' ? findPart(before, 'group', id) : undefined;
  const prices = group?.options.filter((option) => option.price_override !== null) ?? [];
  if (prices.length > 0) changes.push({ call: 'PATCH /v1/option-groups/{id}', id, body: { options: prices } });
  if (parent === 'category') return changes;
  for (const item of before.items) {
    const left = new Map(
      findPart(after, 'item', item.id)?.option_groups.map((one) => [one.id, one.shown_when_option_id]),
    );
    const lost = item.option_groups.filter(
      (one) => one.shown_when_option_id !== null && (left.get(one.id) ?? null) === null,
    );
    if (lost.length > 0) changes.push({ call: 'PATCH /v1/items/{id}', id: item.id, body: { option_groups: lost } });
  }
  return changes;
}
