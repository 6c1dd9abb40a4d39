import type { MenuChange, MenuParts } from '#menu/endpoints-editing.ts';
import { findPart, type PartKind, partKinds, type PartOf, pathOf } from '#menu/web/editor/menu-part.ts';

/** One call of the API that changes a menu, kept as data so that it can be sent later, sent again and turned round. */
export interface Change {
  call: MenuChange;
  id?: string;
  body: Record<string, unknown>;
}

/** Lists whose order an editor can change, with the call that does it and the field that names the children. */
const orderings = {
  category: { call: 'POST /v1/categories/{id}/items/reorder', field: 'itemIds' },
  item: { call: 'POST /v1/items/{id}/option-groups/reorder', field: 'optionGroupIds' },
  group: { call: 'POST /v1/option-groups/{id}/options/reorder', field: 'optionIds' },
} as const;
const links = {
  category: { path: '/v1/categories/{id}/items', field: 'items' },
  item: { path: '/v1/items/{id}/option-groups', field: 'option_groups' },
  group: { path: '/v1/option-groups/{id}/options', field: 'options' },
} as const;
export type LinkParent = keyof typeof links;

export const create = (kind: PartKind, body: Record<string, unknown> & { id: string; name: string }): Change => ({
  call: `POST /v1/${pathOf[kind]}`,
  body,
});

/**
 * Changes fields, guarded by what the editor sees of them now, or by what stood there when they began to type: `began`.
 */
export function patch<K extends PartKind>(
  kind: K,
  seen: PartOf<K>,
  fields: Partial<PartOf<K>>,
  began: Partial<PartOf<K>> = {},
): Change {
  const before = { ...seen, ...began };
  const was = Object.fromEntries(Object.keys(fields).map((field) => [field, before[field as keyof PartOf<K>]]));
  return { call: `PATCH /v1/${pathOf[kind]}/{id}`, id: seen.id, body: { ...fields, was } };
}

export const remove = (kind: PartKind, id: string): Change => ({
  call: `DELETE /v1/${pathOf[kind]}/{id}`,
  id,
  body: {},
});

export const restore = (kind: PartKind, id: string): Change => ({
  call: `POST /v1/${pathOf[kind]}/{id}/restore`,
  id,
  body: {},
});

export const link = (parent: LinkParent, id: string, children: readonly string[]): Change => ({
  call: `POST ${links[parent].path}/add`,
  id,
  body: { [links[parent].field]: children },
});

export const unlink = (parent: LinkParent, id: string, children: readonly string[]): Change => ({
  call: `POST ${links[parent].path}/remove`,
  id,
  body: { [links[parent].field]: children },
});

export const reorder = (parent: LinkParent, id: string, children: readonly string[]): Change => ({
  call: orderings[parent].call,
  id,
  body: { [orderings[parent].field]: children },
});

export const reorderCategories = (ids: readonly string[]): Change => ({
  call: 'POST /v1/categories/reorder',
  body: { ids },
});

/** The children of a list in their order. */
export function childrenOf(parts: MenuParts, parent: LinkParent | 'menu', id: string): string[] {
  switch (parent) {
    case 'menu':
      return parts.categories.filter((category) => category.menu_id === id).map((category) => category.id);
    case 'category':
      return [...(findPart(parts, 'category', id)?.item_ids ?? [])];
    case 'item':
      return (findPart(parts, 'item', id)?.option_groups ?? []).map((one) => one.id);
    case 'group':
      return (findPart(parts, 'group', id)?.options ?? []).map((one) => one.id);
  }
}

export type Deed =
  | { kind: 'create' | 'patch' | 'delete' | 'restore'; part: PartKind }
  | { kind: 'link' | 'unlink' | 'reorder'; parent: LinkParent; field: string }
  | { kind: 'reorderCategories' };

/** What a call does, read from its name. */
export function deedOf({ call }: Change): Deed {
  if (call === 'POST /v1/categories/reorder') return { kind: 'reorderCategories' };
  for (const parent of ['category', 'item', 'group'] as const) {
    const { path, field } = links[parent];
    if (call === `POST ${path}/add`) return { kind: 'link', parent, field };
    if (call === `POST ${path}/remove`) return { kind: 'unlink', parent, field };
    if (call === orderings[parent].call) return { kind: 'reorder', parent, field: orderings[parent].field };
  }
  const path = call.split('/')[2];
  const part = partKinds.find((kind) => pathOf[kind] === path);
  if (!part) throw new Error(`${call} changes nothing of a menu.`);
  if (call.endsWith('/restore')) return { kind: 'restore', part };
  if (call.startsWith('PATCH')) return { kind: 'patch', part };
  return { kind: call.startsWith('DELETE') ? 'delete' : 'create', part };
}

/** The ids that a link, an unlink or a reorder names. */
export function idsIn(change: Change, field: string): string[] {
  const ids = change.body[field];
  return Array.isArray(ids) ? ids.map(String) : [];
}
