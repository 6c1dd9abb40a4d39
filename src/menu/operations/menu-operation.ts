import type { z } from 'zod';
import type { MenuChange, menuChanges } from '#menu/contract-changing.ts';
import type { LinkParent, PartKind, PartOf } from '#menu/operations/menu-part.ts';

/** A call's body, as parsed by the contract's schema. */
type Body<C extends MenuChange> = (typeof menuChanges)[C] extends { body: infer S extends z.ZodType }
  ? z.output<S>
  : never;

interface Bodies {
  menu: { create: Body<'POST /v1/menus'>; change: Body<'PATCH /v1/menus/{id}'> };
  category: { create: Body<'POST /v1/categories'>; change: Body<'PATCH /v1/categories/{id}'> };
  item: { create: Body<'POST /v1/items'>; change: Body<'PATCH /v1/items/{id}'> };
  group: { create: Body<'POST /v1/option-groups'>; change: Body<'PATCH /v1/option-groups/{id}'> };
  option: { create: Body<'POST /v1/options'>; change: Body<'PATCH /v1/options/{id}'> };
}

/** The fields of a new part. Its creator chooses the id, so that a repeated creation makes one part. */
export type NewFields<K extends PartKind> = { [P in K]: Omit<Bodies[P]['create'], 'id'> & { id: string } }[K];
/** The changed fields; `option_groups` and `options` set conditions and prices of existing links. */
export type ChangedFields<K extends PartKind> = { [P in K]: Omit<Bodies[P]['change'], 'was'> }[K];

/** Adds a new part at the end of its list; an existing one stays as it is. */
export type Create<K extends PartKind = PartKind> = { [P in K]: { kind: 'create'; part: P; fields: NewFields<P> } }[K];
/** Sets fields. Refused if one of `was` has changed; without `was` it is always made. */
export type Change<K extends PartKind = PartKind> = {
  [P in K]: { kind: 'change'; part: P; id: string; fields: ChangedFields<P>; was?: Record<string, unknown> };
}[K];
/** Removes a part from the menu with its links; a menu goes with its categories. */
export type Remove<K extends PartKind = PartKind> = { [P in K]: { kind: 'remove'; part: P; id: string } }[K];
/** Undoes a removal. */
export type Restore<K extends PartKind = PartKind> = { [P in K]: { kind: 'restore'; part: P; id: string } }[K];
/** Adds children at the end of the part's list; existing ones keep their position. */
export type Link<K extends LinkParent = LinkParent> = {
  [P in K]: { kind: 'link'; part: P; id: string; children: readonly string[] };
}[K];
/** Removes children from the part's list. */
export type Unlink<K extends LinkParent = LinkParent> = {
  [P in K]: { kind: 'unlink'; part: P; id: string; children: readonly string[] };
}[K];
/** Every child of the part's list in its new order. */
export type Reorder<K extends LinkParent = LinkParent> = {
  [P in K]: { kind: 'reorder'; part: P; id: string; children: readonly string[] };
}[K];
/** Every category of a menu in its new order. The categories determine the menu. */
export interface ReorderCategories {
  kind: 'reorder';
  part: 'menu';
  children: readonly string[];
}

/** One change of a menu as data: applied and undone in the browser, made by the server. */
export type MenuOperation = Create | Change | Remove | Restore | Link | Unlink | Reorder | ReorderCategories;
export type OperationKind = MenuOperation['kind'];
/** The operations on one kind of part. */
export type KindsOf<K extends PartKind> = Extract<MenuOperation, { part: K }>['kind'];
/** An operation of one kind on one kind of part. */
export type OperationOn<K extends PartKind, Kind extends OperationKind> = Extract<
  MenuOperation,
  { kind: Kind; part: K }
>;

export function create<K extends PartKind>(part: K, fields: NewFields<K>): Create<K> {
  return { kind: 'create', part, fields };
}

export function change<K extends PartKind>(
  part: K,
  id: string,
  fields: ChangedFields<K>,
  was?: Record<string, unknown>,
): Change<K> {
  return { kind: 'change', part, id, fields, ...(was && { was }) };
}

/** A change guarded by the fields as the editor sees them now, or as they were when typing began: `began`. */
export function changeSeen<K extends PartKind>(
  part: K,
  seen: PartOf<K>,
  fields: ChangedFields<K>,
  began: Partial<PartOf<K>> = {},
): Change<K> {
  const before: Record<string, unknown> = { ...seen, ...began };
  const was = Object.fromEntries(Object.keys(fields).map((field) => [field, before[field]]));
  return change(part, seen.id, fields, was);
}

export function remove<K extends PartKind>(part: K, id: string): Remove<K> {
  return { kind: 'remove', part, id };
}

export function restore<K extends PartKind>(part: K, id: string): Restore<K> {
  return { kind: 'restore', part, id };
}

export function link<K extends LinkParent>(part: K, id: string, children: readonly string[]): Link<K> {
  return { kind: 'link', part, id, children };
}

export function unlink<K extends LinkParent>(part: K, id: string, children: readonly string[]): Unlink<K> {
  return { kind: 'unlink', part, id, children };
}

export function reorder<K extends LinkParent>(part: K, id: string, children: readonly string[]): Reorder<K> {
  return { kind: 'reorder', part, id, children };
}

export function reorderCategories(children: readonly string[]): ReorderCategories {
  return { kind: 'reorder', part: 'menu', children };
}
