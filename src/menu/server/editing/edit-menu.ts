import { m } from '#messages';
import type { Db, Tx } from '#database/schema.ts';
import { ShownCategory, ShownGroup, ShownItem, ShownMenu, ShownOption } from '#menu/contract-parts.ts';
import type { MenuParts } from '#menu/fields.ts';
import { AllergenAnswers, PriceChange } from '#menu/menu-shapes.ts';
import { applyOperation } from '#menu/operations/apply-operation.ts';
import {
  type ChangeOperation,
  linkedChildIds,
  type CreateOperation,
  findPart,
  type ItemPart,
  partListNames,
  type MenuOperation,
  type PartKind,
  type PartOf,
  newPartWithDefaults,
} from '#menu/operations/menu-operation.ts';
import { findInMenuBin, moveToMenuBin, restoreMenuParts, removeFromMenuBin } from '#menu/server/editing/menu-bin.ts';
import { menuDifferenceOf, writeMenuDifference } from '#menu/server/editing/write-difference.ts';
import {
  loadSinglePart,
  loadMenuParts,
  presentGroups,
  presentItems,
  presentOptionWithStore,
} from '#menu/server/reading/load-menus.ts';
import type { MenuServices } from '#menu/server/services.ts';
import { AppError, invalidFieldError } from '#platform/errors.ts';
import { refuseStaleChange } from '#platform/http/conflict-check.ts';
import { changeStore, type StoreChangeCall } from '#store/server/change-store.ts';
import { findStoreId, firstStoreLookupName } from '#store/server/find-store.ts';
import { findDealProblem } from '#menu/deals.ts';
import { indexItem } from '#menu/menu-index.ts';
import { childrenField } from '#menu/operations/operation-calls.ts';
import { visibleGroupIds } from '#menu/option-rules.ts';
import { priceGroupLinksOf, findPriceGroupLinkProblem, findPriceGroupRuleProblem } from '#menu/price-group.ts';

export interface OperationContext extends StoreChangeCall {
  now: Date;
  /**
   * The menus that earlier operations of the transaction have changed, by store id. Missing if the transaction has only
   * one operation.
   */
  parts?: Map<string, MenuParts>;
}

/** The fields of a dish or option for staff who edit the menu. Customers do not get these fields. */
const unshown = { allergen_answers: AllergenAnswers, price_change: PriceChange };

type Editing = Pick<MenuServices, 'config' | 'menus' | 'outbox'>;

export type EditMenu = <O extends MenuOperation>(call: OperationContext, operation: O) => Promise<RowOf<O['part']>>;

/**
 * Returns the function that applies an operation to the locked store's menu, as the browser does, and writes the
 * difference. It throws 404 for an unknown part, 422 for an invalid change, and 409 for a conflict, such as stale
 * values.
 */
export function createMenuEditor(services: Editing): EditMenu {
  return async <O extends MenuOperation>(call: OperationContext, operation: O) => {
    const before = await findNamed(services, call.db, operation);
    const row = await changeStore(services, call, before.store_id, 'menu', async (tx, isFirst) => {
      const found = isFirst ? await findNamed(services, tx, operation) : before;
      const named = 'id' in operation ? { ...operation, id: found.id ?? operation.id } : operation;
      return edit(call, found.store_id, named);
    });
    // The cast is right: the row is of the operation's kind of part.
    return row as RowOf<O['part']>;
  };
}

async function edit(call: OperationContext, storeId: string, operation: MenuOperation): Promise<RowOf<PartKind>> {
  const { db: tx, now } = call;
  const id = operation.kind === 'create' ? operation.fields.id : null;
  const known = id === null ? null : await findKnown(tx, operation.part, id);
  if (known && isDeleted(known)) throw new AppError('conflict', m.menu_item_was_deleted());
  if (known) return known;
  if (operation.kind === 'change') await refuseStale(tx, operation);
  const kept = operation.kind === 'restore' ? await removeFromMenuBin(tx, operation.part, operation.id) : null;
  const before = call.parts?.get(storeId) ?? (await load(call, storeId, operation));
  const after = kept ? restoreMenuParts(before, kept) : applyOperation(before, operation);
  refuseOperation(before, after, operation);
  const difference = menuDifferenceOf(before, after);
  const removed = operation.kind === 'remove' ? await findPartRow(tx, operation.part, operation.id) : null;
  if (operation.kind === 'remove') await moveToMenuBin(tx, before, operation, difference.removed, now);
  await writeMenuDifference(tx, difference, now);
  call.parts?.set(storeId, after);
  return removed ?? findPartRow(tx, operation.part, rowIdOf(before, operation));
}

/**
 * Loads the store's whole menu, or only the changed part. The part suffices if the call has one operation, which sets
 * the own fields of an item, group or option.
 */
async function load(
  { db: tx, parts }: OperationContext,
  storeId: string,
  operation: MenuOperation,
): Promise<MenuParts> {
  if (!parts && (operation.kind === 'create' || operation.kind === 'change')) {
    const { part, fields } = operation;
    const isOwn = !(
      'option_groups' in fields ||
      'options' in fields ||
      'item_id' in fields ||
      'item_options' in fields ||
      ('pricing' in fields && fields.pricing === 'is_price')
    );
    const id = operation.kind === 'create' ? operation.fields.id : operation.id;
    if (isOwn && part !== 'menu' && part !== 'category') return loadSinglePart(tx, storeId, part, id);
  }
  const whole = await loadMenuParts(tx, storeId);
  if (!whole) throw new AppError('not_found', m.store_not_found());
  return whole;
}

function rowIdOf(parts: MenuParts, operation: MenuOperation): string {
  if (operation.kind === 'create') return operation.fields.id;
  if ('id' in operation) return operation.id;
  return findPart(parts, 'category', operation.children[0] ?? '')?.menu_id ?? '';
}

/**
 * Finds the operation's part and store, or a new part's store. Throws 404 for an unknown part, 422 for an unknown id in
 * the body.
 */
async function findNamed(
  services: Editing,
  tx: Tx,
  operation: MenuOperation,
): Promise<{ id?: string; store_id: string }> {
  if (operation.kind === 'restore') {
    const { part, id } = operation;
    return (await findInMenuBin(tx, part, id)) ?? findPartRow(tx, part, id);
  }
  if (operation.kind === 'create') return { store_id: await findStoreFor(services, tx, operation) };
  if ('id' in operation) return findPartRow(tx, operation.part, operation.id);
  const { store_id } = await findPartRow(tx, 'category', operation.children[0] ?? '').catch(
    invalidField('ids', m.menu_ids_unknown()),
  );
  return { store_id };
}

/** Finds a new part's store: the store of its menu, or the store that the body names, or the store that `/` shows. */
async function findStoreFor({ config }: Editing, tx: Tx, operation: CreateOperation): Promise<string> {
  if (operation.part === 'category') {
    const unknown = invalidField('menu_id', m.menu_not_found());
    return (await findPartRow(tx, 'menu', operation.fields.menu_id).catch(unknown)).store_id;
  }
  // The cache is not used, because it may need a second connection. Transactions that wait for a second connection can
  // deadlock.
  const found = await findStoreId(tx, operation.fields.store_id ?? config.STORE_NAME ?? firstStoreLookupName);
  if (found === null) throw invalidFieldError('store_id', m.store_not_found());
  return found;
}

function invalidField(field: string, message: string) {
  return (error: unknown): never => {
    throw error instanceof AppError && error.code === 'not_found' ? invalidFieldError(field, message) : error;
  };
}

/** Throws 409 for a change based on stale values. */
async function refuseStale(tx: Tx, { part, id, fields, was }: ChangeOperation): Promise<void> {
  if (!was) return;
  const said = { ...fields, was };
  switch (part) {
    case 'menu':
      return refuseStaleChange(ShownMenu, await findPartRow(tx, part, id), said);
    case 'category':
      return refuseStaleChange(ShownCategory, await findPartRow(tx, part, id), said);
    case 'item': {
      const row = await findPartRow(tx, part, id);
      const [shown] = await presentItems(tx, [row], fields.option_groups ? 1 : 0);
      return refuseStaleChange(ShownItem.extend(unshown), { ...shown, ...unshownOf(row) }, said);
    }
    case 'group': {
      const [shown] = await presentGroups(tx, [await findPartRow(tx, part, id)], fields.options ? 1 : 0);
      return refuseStaleChange(ShownGroup, shown, said);
    }
    case 'option': {
      const row = await findPartRow(tx, part, id);
      const shown = { ...presentOptionWithStore(row), ...unshownOf(row) };
      return refuseStaleChange(ShownOption.extend(unshown), shown, said);
    }
  }
}

function unshownOf({ allergen_answers, price_change }: RowOf<'item'> | RowOf<'option'>) {
  return { allergen_answers, price_change };
}

/** The statements that read the row of a part with its store's id, by kind of part. They find deleted items as well. */
const rows = {
  menu: (db: Db, id: string) => db.selectFrom('menus').selectAll().where('id', '=', id).executeTakeFirst(),
  category: (db: Db, id: string) =>
    db
      .selectFrom('categories')
      .innerJoin('menus', 'menus.id', 'categories.menu_id')
      .selectAll('categories')
      .select('menus.store_id')
      .where('categories.id', '=', id)
      .executeTakeFirst(),
  item: (db: Db, id: string) => db.selectFrom('items').selectAll().where('id', '=', id).executeTakeFirst(),
  group: (db: Db, id: string) => db.selectFrom('option_groups').selectAll().where('id', '=', id).executeTakeFirst(),
  option: (db: Db, id: string) => db.selectFrom('options').selectAll().where('id', '=', id).executeTakeFirst(),
};

type RowOf<K extends PartKind> = { [P in K]: NonNullable<Awaited<ReturnType<(typeof rows)[P]>>> }[K];

const missing: Record<PartKind, () => string> = {
  menu: m.menu_not_found,
  category: m.menu_category_not_found,
  item: m.menu_item_not_found,
  group: m.menu_option_group_not_found,
  option: m.menu_option_not_found,
};

async function findKnown<K extends PartKind>(db: Db, part: K, id: string): Promise<RowOf<K> | null> {
  // The cast is needed, because TypeScript cannot narrow the union by `part`.
  return ((await rows[part](db, id)) as RowOf<K> | undefined) ?? null;
}

export async function findPartRow<K extends PartKind>(db: Db, part: K, id: string): Promise<RowOf<K>> {
  const row = await findKnown(db, part, id);
  if (!row || isDeleted(row)) throw new AppError('not_found', missing[part]());
  return row;
}

function isDeleted(row: RowOf<PartKind>): boolean {
  return 'deleted_at' in row && row.deleted_at !== null;
}

const childOf = { category: 'item', item: 'group', group: 'option' } as const;

/** Throws 422 for unknown references or an invalid resulting menu; 409 if a deleted part cannot be restored. */
function refuseOperation(before: MenuParts, after: MenuParts, operation: MenuOperation): void {
  switch (operation.kind) {
    case 'create':
      if (operation.part === 'group') refuseOddRules(newPartWithDefaults('group', operation.fields));
      if (operation.part === 'option') refuseOddDish(after, operation.fields.id, operation.fields);
      return;
    case 'change':
      refuseChange(before, after, operation);
      return;
    case 'remove':
      return;
    case 'restore': {
      if (!findPart(after, operation.part, operation.id))
        throw new AppError('conflict', m.menu_restore_without_parent());
      const refused = findPriceGroupLinkProblem(priceGroupLinksOf(after)) ?? findDealProblem(after);
      if (refused) throw new AppError('conflict', refused);
      return;
    }
    case 'link':
    case 'unlink': {
      refuseUnknown(childrenField(operation), operation.children, before[partListNames[childOf[operation.part]]]);
      if (operation.kind === 'link') refuseOddLink(after, operation);
      return;
    }
    case 'reorder':
      refusePartialOrder(before, operation);
  }
}

function refuseChange(before: MenuParts, after: MenuParts, operation: MenuOperation & { kind: 'change' }): void {
  if (operation.part === 'option') refuseOddDish(after, operation.id, operation.fields);
  if (operation.part === 'category') refuseUnknownMenu(before, operation.fields.menu_id);
  if (operation.part === 'group') refuseOddGroup(before, after, operation.id, operation.fields);
  if (operation.part === 'item') refuseOddConditions(before, after, operation.id, operation.fields.option_groups);
}

/** Throws 422 if the option's dish or an answer to its groups is unknown, or if a deal would contain a deal. */
function refuseOddDish(
  after: MenuParts,
  id: string,
  fields: Partial<Pick<PartOf<'option'>, 'item_id' | 'item_options'>>,
) {
  const option = findPart(after, 'option', id);
  if (!option || (fields.item_id == null && !fields.item_options?.length)) return;
  const dish = findPart(after, 'item', option.item_id ?? '');
  if (!dish) throw invalidFieldError(fields.item_id == null ? 'item_options' : 'item_id', m.menu_deal_dish_unknown());
  const own = new Set(dish.option_groups.map((group) => group.id));
  const isUnknown = option.item_options.some(
    (one) =>
      !own.has(one.option_group_id) || !linkedChildIds(after, 'group', one.option_group_id).includes(one.option_id),
  );
  if (isUnknown) throw invalidFieldError('item_options', m.menu_deal_answer_unknown({ name: dish.name }));
  const refused = findDealProblem(after);
  if (refused) throw invalidFieldError('item_id', refused);
}

function refusePartialOrder(before: MenuParts, operation: MenuOperation & { kind: 'reorder' }): void {
  const [first = ''] = operation.children;
  const parent = operation.part === 'menu' ? findPart(before, 'category', first)?.menu_id : operation.id;
  const siblings = new Set(linkedChildIds(before, operation.part, parent ?? ''));
  // The body's schema refuses repeated ids, so equal counts mean that no sibling is missing.
  const isWhole = siblings.size === operation.children.length && operation.children.every((id) => siblings.has(id));
  if (!isWhole) throw invalidFieldError(childrenField(operation), m.menu_reorder_incomplete());
}

/** Throws 422 on `field` if one of the ids is unknown or occurs twice. */
function refuseUnknown(field: string, ids: readonly string[], known: readonly { id: string }[]): void {
  const all = new Set(known.map(({ id }) => id));
  if (new Set(ids).size < ids.length || !ids.every((id) => all.has(id)))
    throw invalidFieldError(field, m.menu_ids_unknown());
}

function refuseUnknownMenu(parts: MenuParts, menuId: string | undefined): void {
  if (menuId !== undefined && !findPart(parts, 'menu', menuId)) throw invalidFieldError('menu_id', m.menu_not_found());
}

function refuseOddRules(rules: Pick<PartOf<'group'>, 'pricing' | 'min_select' | 'max_select' | 'free_select'>): void {
  if (rules.min_select > rules.max_select) throw invalidFieldError('min_select', m.menu_group_min_over_max());
  if (rules.free_select > rules.max_select) throw invalidFieldError('free_select', m.menu_group_free_over_max());
  const refused = findPriceGroupRuleProblem(rules);
  if (refused) throw invalidFieldError(refused.field, refused.words);
}

function refuseOddGroup(
  before: MenuParts,
  after: MenuParts,
  id: string,
  { pricing, options }: { pricing?: string | undefined; options?: readonly { id: string }[] | undefined },
): void {
  const group = findPart(after, 'group', id);
  if (group) refuseOddRules(group);
  const refused = pricing === 'is_price' ? findPriceGroupLinkProblem(priceGroupLinksOf(after)) : null;
  if (refused) throw invalidFieldError('pricing', refused);
  if (options) refuseUnknown('options', ids(options), findPart(before, 'group', id)?.options ?? []);
}

/** Throws 422 if a condition names an unknown option, or if a group of the item could never show. */
function refuseOddConditions(
  before: MenuParts,
  after: MenuParts,
  id: string,
  conditions: ItemPart['option_groups'] | undefined,
): void {
  const item = findPart(after, 'item', id);
  if (!conditions || !item) return;
  const triggers = conditions.flatMap(({ shown_when_option_id: option }) => option ?? []);
  refuseUnknown('option_groups', ids(conditions), findPart(before, 'item', id)?.option_groups ?? []);
  refuseUnknown('option_groups', [...new Set(triggers)], before.options);
  const groups = item.option_groups.flatMap((link) => {
    const group = findPart(after, 'group', link.id);
    return group
      ? [{ ...group, ...link, options: group.options.flatMap((one) => findPart(after, 'option', one.id) ?? []) }]
      : [];
  });
  const indexed = indexItem({ ...item, option_groups: groups });
  const everything = [...indexed.groups.values()].flatMap(({ options }) =>
    [...options.values()].map((option) => ({ ...option, quantity: 1 })),
  );
  if (visibleGroupIds(indexed, everything).size < indexed.groups.size)
    throw invalidFieldError('option_groups', m.menu_group_never_shown());
  refuseOddPrices(after, id);
}

function refuseOddLink(after: MenuParts, operation: MenuOperation & { kind: 'link' }): void {
  if (operation.part === 'item') refuseOddPrices(after, operation.id);
  const refused = findDealProblem(after);
  if (refused) throw invalidFieldError(childrenField(operation), refused);
}

function refuseOddPrices(after: MenuParts, id: string): void {
  const refused = findPriceGroupLinkProblem(
    priceGroupLinksOf({ ...after, items: after.items.filter((item) => item.id === id) }),
  );
  if (refused) throw invalidFieldError('option_groups', refused);
}

function ids(links: readonly { id: string }[]): string[] {
  return links.map(({ id }) => id);
}
