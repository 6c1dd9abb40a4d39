import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { asPrice, hasRightPrices } from '#menu/testing/sample-parts.ts';
import type { MenuParts } from '#menu/fields.ts';
import { applyOperation } from '#menu/operations/apply-operation.ts';
import {
  makeGuardedChangeOperation,
  linkedChildIds,
  makeCreateOperation,
  findPart,
  makeLinkOperation,
  type LinkParent,
  partListNames,
  type MenuOperation,
  type PartKind,
  type PartOf,
  makeRemoveOperation,
  makeReorderOperation,
  makeReorderCategoriesOperation,
  makeUnlinkOperation,
} from '#menu/operations/menu-operation.ts';
import { allergens, answers, stock } from '#menu/testing/draw-fields.ts';

/** An operation whose targets are still open: it chooses them by numbers from the existing parts. */
type Draw = (parts: MenuParts) => MenuOperation | null;

const childKind = { category: 'item', item: 'group', group: 'option' } as const;
const name = fc.constantFrom('Tea', 'Ñandú', 'Soup of the day', 'Straße', '50 % off');
const text = fc.constantFrom('', 'Hot', 'Comes with rice');
const price = fc.integer({ min: 0, max: 5000 });
const number = fc.nat(1000);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 2 });
const some = <T extends object>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(fields, { requiredKeys: [] });
const lunch: PartOf<'menu'>['availability'] = { days: ['Monday', 'Friday'], from: '12:00', to: '14:30' };
const menuFields = some({
  name,
  description: text,
  is_active: fc.boolean(),
  availability: maybe(fc.constant(lunch)),
});
const priceChange = maybe(fc.record({ price, at: fc.constant('2999-01-01T06:00:00.000Z') }));
const categoryFields = some({ name, description: text, is_active: fc.boolean() });
const itemFields = fc
  .tuple(
    some({
      name,
      price,
      allergens,
      allergen_answers: answers,
      kitchen_name: maybe(name),
      description: text,
      vat_rate: fc.constantFrom(0, 500, 2000),
      is_active: fc.boolean(),
      dietary: fc.subarray(['vegetarian' as const, 'halal' as const]),
      spice_level: fc.integer({ min: 0, max: 3 }),
      min_age: maybe(fc.constant(18)),
      prep_minutes: maybe(fc.constant(0)),
      max_per_order: maybe(fc.constant(5)),
      station: maybe(fc.constant('Fryer')),
      price_change: priceChange,
      portions_left: maybe(fc.integer({ min: 0, max: 9 })),
    }),
    stock,
  )
  .map(([fields, sold]) => ({ ...fields, ...sold }));
const optionFields = fc
  .tuple(
    some({
      name,
      price,
      allergens,
      allergen_answers: answers,
      is_default: fc.boolean(),
      price_change: priceChange,
      vat_rate: maybe(fc.constant(500)),
    }),
    stock,
  )
  .map(([fields, sold]) => ({ ...fields, ...sold }));
const count = fc.integer({ min: 0, max: 4 });
const rules = fc.tuple(count, count, count).map(([least, free, more]) => ({
  min_select: least,
  free_select: free,
  max_select: Math.max(1, least, free) + more,
}));
const groupFields = fc
  .tuple(some({ name, max_per_option: fc.integer({ min: 1, max: 3 }) }), fc.oneof(fc.constant({}), rules))
  .map(([fields, rule]) => ({ ...fields, ...rule }));
/** A new group may have any of its rules: the missing ones follow from the others. */
const newRules = fc.oneof(rules, fc.constantFrom({}, asPrice), some({ min_select: count, free_select: count }));

const creations: fc.Arbitrary<Draw>[] = [
  menuFields.map(
    (fields) => (parts) => makeCreateOperation('menu', { name: 'M', ...fields, ...fresh(), store_id: parts.store_id }),
  ),
  fc.tuple(categoryFields, number).map(([fields, n]) => (parts) => {
    const menu = pick(parts.menus, n);
    return menu && makeCreateOperation('category', { name: 'C', ...fields, ...fresh(), menu_id: menu.id });
  }),
  itemFields.map(
    (fields) => (parts) =>
      makeCreateOperation('item', { name: 'I', price: 1, ...fields, ...fresh(), store_id: parts.store_id }),
  ),
  fc.tuple(groupFields, newRules).map(
    ([{ name: called = 'G' }, rule]) =>
      (parts) =>
        makeCreateOperation('group', { name: called, ...rule, ...fresh(), store_id: parts.store_id }),
  ),
  optionFields.map(
    (fields) => (parts) =>
      makeCreateOperation('option', { name: 'O', ...fields, ...fresh(), store_id: parts.store_id }),
  ),
];

const links: fc.Arbitrary<Draw>[] = (['category', 'item', 'group'] as const).map((part) =>
  fc.tuple(number, fc.array(number, { minLength: 1, maxLength: 4 })).map(([n, others]) => (parts) => {
    const parent = pick<{ id: string }>(parts[partListNames[part]], n);
    const children = new Set(
      others.flatMap((other) => pick<{ id: string }>(parts[partListNames[childKind[part]]], other)?.id ?? []),
    );
    return parent && children.size > 0 ? makeLinkOperation(part, parent.id, [...children]) : null;
  }),
);

const changes: fc.Arbitrary<Draw>[] = [
  changing('menu', menuFields),
  changing('category', categoryFields),
  changing('item', itemFields),
  changing('group', groupFields),
  changing('option', optionFields),
];

/** Changes that other changes depend on. */
const placements: fc.Arbitrary<Draw>[] = [
  fc.tuple(number, number).map(([n, other]) => (parts) => {
    const [category, menu] = [pick(parts.categories, n), pick(parts.menus, other)];
    return category && menu && makeGuardedChangeOperation('category', category, { menu_id: menu.id });
  }),
  fc.tuple(number, number, number, fc.boolean()).map(([n, own, other, isShown]) => (parts) => {
    const item = pick(
      parts.items.filter((one) => one.option_groups.length > 1),
      n,
    );
    return item && conditionOf(parts, item, own, isShown ? null : other);
  }),
  fc.tuple(number, number, maybe(price)).map(([n, own, override]) => (parts) => {
    const group = pick(
      parts.option_groups.filter((one) => one.options.length > 0),
      n,
    );
    const option = group && pick(group.options, own);
    return (
      group &&
      option &&
      makeGuardedChangeOperation('group', group, { options: [{ id: option.id, price_override: override }] })
    );
  }),
  changing('group', fc.constantFrom(asPrice, { pricing: 'adds' as const })),
];

const removals: fc.Arbitrary<Draw>[] = (['menu', 'category', 'item', 'group', 'option'] as const).map((part) =>
  number.map((n) => (parts) => {
    const found = pick<{ id: string }>(parts[partListNames[part]], n);
    return found && makeRemoveOperation(part, found.id);
  }),
);

const lists: fc.Arbitrary<Draw>[] = (['category', 'item', 'group'] as const).flatMap((part) => [
  fc.tuple(number, fc.array(number, { minLength: 1, maxLength: 3 })).map(([n, others]) => (parts) => {
    const parent = filled(parts, part, n);
    if (!parent) return null;
    const siblings = linkedChildIds(parts, part, parent);
    return makeUnlinkOperation(part, parent, [...new Set(others.flatMap((other) => pick(siblings, other) ?? []))]);
  }),
  fc.tuple(number, number).map(([n, turn]) => (parts) => {
    const parent = filled(parts, part, n);
    return parent === null
      ? null
      : makeReorderOperation(part, parent, turned(linkedChildIds(parts, part, parent), turn));
  }),
]);

const categoryOrder: fc.Arbitrary<Draw> = fc.tuple(number, number).map(([n, turn]) => (parts) => {
  const category = pick(parts.categories, n);
  return category && makeReorderCategoriesOperation(turned(linkedChildIds(parts, 'menu', category.menu_id), turn));
});

/** Drawn more often than others, because their effects need several of them on the same parts. */
const often = (draws: fc.Arbitrary<Draw>[]) => draws.map((arbitrary) => ({ arbitrary, weight: 4 }));

/** Operations that create a menu. */
export const manyCreations = fc.array(fc.oneof(...creations, ...links), { maxLength: 12 });
/** Every operation on a menu except a restore, because only the server knows what that brings back. */
export const manyOperations = fc.array(
  fc.oneof(...creations, ...links, ...changes, ...removals, ...often(placements), ...often(lists), categoryOrder),
  { minLength: 1, maxLength: 25 },
);

/** The operations of these draws, made one after another on this menu. */
export function drawOn(parts: MenuParts, draws: readonly Draw[]): MenuOperation[] {
  const made: MenuOperation[] = [];
  let now = parts;
  for (const draw of draws) {
    const operation = draw(now);
    if (!operation || !hasRightPrices(applyOperation(now, operation))) continue;
    made.push(operation);
    now = applyOperation(now, operation);
  }
  return made;
}

function changing<K extends PartKind>(
  part: K,
  fields: fc.Arbitrary<Parameters<typeof makeGuardedChangeOperation<K>>[2]>,
): fc.Arbitrary<Draw> {
  return fc.tuple(number, fields).map(([n, said]) => (parts) => {
    const all: readonly { id: string }[] = parts[partListNames[part]];
    const seen = findPart(parts, part, pick(all, n)?.id ?? '');
    // The result is one operation of the union, whichever kind of part it is.
    return seen ? (makeGuardedChangeOperation(part, seen, said) as MenuOperation) : null;
  });
}

/** Shows a group once an option of another is chosen. An item has at most one such group, so that each can be shown. */
function conditionOf(parts: MenuParts, item: PartOf<'item'>, own: number, other: number | null): MenuOperation | null {
  const conditional = item.option_groups.find((one) => one.shown_when_option_id !== null);
  const group = conditional ?? pick(item.option_groups, own);
  if (!group) return null;
  const offered = item.option_groups
    .filter((one) => one.id !== group.id)
    .flatMap((one) => findPart(parts, 'group', one.id)?.options ?? []);
  const option = other === null ? null : pick(offered, other);
  const condition = { id: group.id, shown_when_option_id: option?.id ?? null };
  return makeGuardedChangeOperation('item', item, { option_groups: [condition] });
}

/** The id of a part that has children. */
function filled(parts: MenuParts, part: LinkParent, n: number): string | null {
  const all: readonly { id: string }[] = parts[partListNames[part]];
  return (
    pick(
      all.filter(({ id }) => linkedChildIds(parts, part, id).length > 0),
      n,
    )?.id ?? null
  );
}

function fresh(): { id: string } {
  return { id: randomUUID() };
}

function pick<T>(list: readonly T[], n: number): T | null {
  return list[n % list.length] ?? null;
}

function turned(list: readonly string[], n: number): string[] {
  const at = n % list.length;
  const moved = [...list.slice(at), ...list.slice(0, at)];
  return n % 2 === 0 ? moved : moved.toReversed();
}
