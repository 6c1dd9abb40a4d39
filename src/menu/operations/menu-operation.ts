import type { z } from 'zod';
import type { MenuChangeCallKey, menuChangeEndpoints } from '#menu/contract-parts.ts';
import type { MenuParts } from '#menu/fields.ts';
import { consistentAllergenFields } from '#menu/allergen-answers.ts';
import { priceGroupRules } from '#menu/price-group.ts';
import { normaliseStockFields } from '#menu/sold-out.ts';

type Body<C extends MenuChangeCallKey> = (typeof menuChangeEndpoints)[C] extends { body: infer S extends z.ZodType }
  ? z.output<S>
  : never;

interface Bodies {
  menu: { create: Body<'POST /v1/menus'>; change: Body<'PATCH /v1/menus/{id}'> };
  category: { create: Body<'POST /v1/categories'>; change: Body<'PATCH /v1/categories/{id}'> };
  item: { create: Body<'POST /v1/items'>; change: Body<'PATCH /v1/items/{id}'> };
  group: { create: Body<'POST /v1/option-groups'>; change: Body<'PATCH /v1/option-groups/{id}'> };
  option: { create: Body<'POST /v1/options'>; change: Body<'PATCH /v1/options/{id}'> };
}

/** A new part's fields. The client chooses the id, so that a retry creates one part. */
export type NewFields<K extends PartKind> = { [P in K]: Omit<Bodies[P]['create'], 'id'> & { id: string } }[K];
/**
 * The changed fields. `option_groups` sets the conditions of a dish's existing links to groups; `options` sets the
 * prices of a group's existing links to options.
 */
export type ChangedFields<K extends PartKind> = { [P in K]: Omit<Bodies[P]['change'], 'was'> }[K];

export type CreateOperation<K extends PartKind = PartKind> = {
  [P in K]: { kind: 'create'; part: P; fields: NewFields<P> };
}[K];
/**
 * Sets fields of a part. The operation is refused if a field no longer has its value in `was`. Without `was` it
 * overwrites changes by others.
 */
export type ChangeOperation<K extends PartKind = PartKind> = {
  [P in K]: { kind: 'change'; part: P; id: string; fields: ChangedFields<P>; was?: Record<string, unknown> };
}[K];
/** Removes a part and its links from the menu. Removing a menu removes its categories as well. */
export type RemoveOperation<K extends PartKind = PartKind> = { [P in K]: { kind: 'remove'; part: P; id: string } }[K];
export type RestoreOperation<K extends PartKind = PartKind> = { [P in K]: { kind: 'restore'; part: P; id: string } }[K];
/** Appends children to the part's list. Existing children keep their position. */
export type LinkOperation<K extends LinkParent = LinkParent> = {
  [P in K]: { kind: 'link'; part: P; id: string; children: readonly string[] };
}[K];
export type UnlinkOperation<K extends LinkParent = LinkParent> = {
  [P in K]: { kind: 'unlink'; part: P; id: string; children: readonly string[] };
}[K];
export type ReorderOperation<K extends LinkParent = LinkParent> = {
  [P in K]: { kind: 'reorder'; part: P; id: string; children: readonly string[] };
}[K];
/** Puts all categories of a menu in a new order. The menu is not named, because the categories imply it. */
export interface ReorderCategoriesOperation {
  kind: 'reorder';
  part: 'menu';
  children: readonly string[];
}

/** A change of a menu as data: the browser applies and undoes it, and the server executes it. */
export type MenuOperation =
  | CreateOperation
  | ChangeOperation
  | RemoveOperation
  | RestoreOperation
  | LinkOperation
  | UnlinkOperation
  | ReorderOperation
  | ReorderCategoriesOperation;
export type OperationKind = MenuOperation['kind'];
export type OperationKindsOf<K extends PartKind> = Extract<MenuOperation, { part: K }>['kind'];

export function makeCreateOperation<K extends PartKind>(part: K, fields: NewFields<K>): CreateOperation<K> {
  return { kind: 'create', part, fields };
}

export function makeChangeOperation<K extends PartKind>(
  part: K,
  id: string,
  fields: ChangedFields<K>,
  was?: Record<string, unknown>,
): ChangeOperation<K> {
  return { kind: 'change', part, id, fields, ...(was && { was }) };
}

/**
 * A change that is refused if somebody has changed its fields since. The stored values are compared with the editor's
 * present values, or with `began`, the values at the start of typing.
 */
export function makeGuardedChangeOperation<K extends PartKind>(
  part: K,
  seen: PartOf<K>,
  fields: ChangedFields<K>,
  began: Partial<PartOf<K>> = {},
): ChangeOperation<K> {
  const before: Record<string, unknown> = { ...seen, ...began };
  const was = Object.fromEntries(Object.keys(fields).map((field) => [field, before[field]]));
  return makeChangeOperation(part, seen.id, fields, was);
}

export function makeRemoveOperation<K extends PartKind>(part: K, id: string): RemoveOperation<K> {
  return { kind: 'remove', part, id };
}

export function makeRestoreOperation<K extends PartKind>(part: K, id: string): RestoreOperation<K> {
  return { kind: 'restore', part, id };
}

export function makeLinkOperation<K extends LinkParent>(
  part: K,
  id: string,
  children: readonly string[],
): LinkOperation<K> {
  return { kind: 'link', part, id, children };
}

export function makeUnlinkOperation<K extends LinkParent>(
  part: K,
  id: string,
  children: readonly string[],
): UnlinkOperation<K> {
  return { kind: 'unlink', part, id, children };
}

export function makeReorderOperation<K extends LinkParent>(
  part: K,
  id: string,
  children: readonly string[],
): ReorderOperation<K> {
  return { kind: 'reorder', part, id, children };
}

export function makeReorderCategoriesOperation(children: readonly string[]): ReorderCategoriesOperation {
  return { kind: 'reorder', part: 'menu', children };
}

export type PartKind = 'menu' | 'category' | 'item' | 'group' | 'option';

export const partListNames = {
  menu: 'menus',
  category: 'categories',
  item: 'items',
  group: 'option_groups',
  option: 'options',
} as const satisfies Record<PartKind, keyof MenuParts>;
export type PartOf<K extends PartKind> = MenuParts[(typeof partListNames)[K]][number];
export type MenuPart = PartOf<'menu'>;
export type CategoryPart = PartOf<'category'>;
export type ItemPart = PartOf<'item'>;
export type GroupPart = PartOf<'group'>;
export type OptionPart = PartOf<'option'>;

export function findPart<K extends PartKind>(parts: MenuParts, kind: K, id: string): PartOf<K> | undefined {
  // The cast is needed, because the compiler cannot tie the list's name to the kind.
  return (parts[partListNames[kind]] as PartOf<K>[]).find((part) => part.id === id);
}

/** The kinds of parts with a list of links; a child may be in several lists. */
export type LinkParent = 'category' | 'item' | 'group';

export function linkedChildIds(parts: MenuParts, parent: LinkParent | 'menu', id: string): string[] {
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

export interface PartsIndex {
  menus: ReadonlyMap<string, MenuPart>;
  categories: ReadonlyMap<string, CategoryPart>;
  items: ReadonlyMap<string, ItemPart>;
  groups: ReadonlyMap<string, GroupPart>;
  options: ReadonlyMap<string, OptionPart>;
  categoriesOfMenu: ReadonlyMap<string, CategoryPart[]>;
  categoriesOfItem: ReadonlyMap<string, CategoryPart[]>;
  itemsOfGroup: ReadonlyMap<string, ItemPart[]>;
  groupsOfOption: ReadonlyMap<string, GroupPart[]>;
}

export function indexParts(parts: MenuParts): PartsIndex {
  const categoriesOfItem = new Map<string, CategoryPart[]>();
  for (const category of parts.categories) for (const id of category.item_ids) push(categoriesOfItem, id, category);
  const itemsOfGroup = new Map<string, ItemPart[]>();
  for (const item of parts.items) for (const { id } of item.option_groups) push(itemsOfGroup, id, item);
  const groupsOfOption = new Map<string, GroupPart[]>();
  for (const group of parts.option_groups) for (const { id } of group.options) push(groupsOfOption, id, group);
  return {
    menus: byId(parts.menus),
    categories: byId(parts.categories),
    items: byId(parts.items),
    groups: byId(parts.option_groups),
    options: byId(parts.options),
    categoriesOfMenu: Map.groupBy(parts.categories, (category) => category.menu_id),
    categoriesOfItem,
    itemsOfGroup,
    groupsOfOption,
  };
}

function byId<T extends { id: string }>(all: readonly T[]): Map<string, T> {
  return new Map(all.map((one) => [one.id, one]));
}

function push<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

export type NewPart<K extends PartKind> = {
  [P in K]: Omit<PartOf<P>, 'store_id' | 'position' | 'item_ids' | 'option_groups' | 'options'>;
}[K];

type Beginnings = { [K in PartKind]: (fields: NewFields<K>) => NewPart<K> };

const beginnings: Beginnings = {
  menu: ({ store_id: _store, ...fields }) => ({ description: '', is_active: true, availability: null, ...fields }),
  category: (fields) => ({ description: '', image: null, is_active: true, ...fields }),
  item: ({ store_id: _store, ...fields }) => ({
    kitchen_name: null,
    description: '',
    image: null,
    // Hot takeaway food is standard-rated in the UK (VAT Notice 709/1).
    vat_rate: 2000,
    is_active: true,
    is_available: true,
    unavailable_until: null,
    allergens: null,
    allergen_answers: null,
    dietary: [],
    spice_level: 0,
    min_age: null,
    prep_minutes: null,
    max_per_order: null,
    station: null,
    portions_left: null,
    ...fields,
    price_change: fields.price_change ?? null,
    ...normaliseStockFields(fields),
    ...consistentAllergenFields(fields),
  }),
  group: ({ store_id: _store, ...fields }) => ({
    pricing: 'adds',
    min_select: 0,
    // If no maximum is given, it is the larger of the minimum and the number of free choices, and at least 1.
    max_select: Math.max(1, fields.min_select ?? 0, fields.free_select ?? 0),
    free_select: 0,
    max_per_option: 1,
    ...(fields.pricing === 'is_price' && priceGroupRules),
    ...fields,
  }),
  option: ({ store_id: _store, ...fields }) => ({
    price: 0,
    is_default: false,
    is_available: true,
    unavailable_until: null,
    vat_rate: null,
    allergens: null,
    allergen_answers: null,
    item_id: null,
    item_options: [],
    ...fields,
    price_change: fields.price_change ?? null,
    ...normaliseStockFields(fields),
    ...consistentAllergenFields(fields),
  }),
};

export function newPartWithDefaults<K extends PartKind>(part: K, fields: NewFields<K>): NewPart<K> {
  const begin: (fields: NewFields<K>) => NewPart<K> = beginnings[part];
  return begin(fields);
}
