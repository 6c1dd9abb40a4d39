import type { MenuParts } from '#menu/fields.ts';
import {
  makeGuardedChangeOperation,
  linkedChildIds,
  findPart,
  makeLinkOperation,
  type MenuOperation,
  type PartKind,
  type PartOf,
  type PartsIndex,
  makeReorderOperation,
  makeReorderCategoriesOperation,
  makeUnlinkOperation,
} from '#menu/operations/menu-operation.ts';
import { createNameMatcher } from '#menu/search-names.ts';

/** A line of the tree. A part with several parents has several lines. */
export interface TreeRow {
  /** The ids from the menu down to the part, joined by `/`. */
  key: string;
  kind: PartKind;
  id: string;
  parentKey: string | null;
  parentId: string | null;
  /** The depth in the tree, from 1. */
  level: number;
  /** The place among the siblings, from 1. */
  place: number;
  siblings: number;
  children: number;
  isExpanded: boolean;
  part: PartOf<PartKind>;
}

/**
 * Builds the visible lines: children of open lines, or search results with their parents. Siblings with a match at a
 * higher level come first. For example, a dish with a matching name precedes a dish with only a matching option.
 */
export function buildTreeRows(
  parts: MenuParts,
  index: PartsIndex,
  expanded: ReadonlySet<string>,
  search = '',
): TreeRow[] {
  const isFound = createNameMatcher(search);
  const rows: TreeRow[] = [];

  function addLines(list: PartList, parent: TreeRow | null): void {
    for (const { row, inner } of linesOf(list, parent)) {
      rows.push(row);
      if (inner && row.isExpanded) addLines(inner, row);
    }
  }

  /** Adds the matching lines of one list; returns the highest level of a match. */
  function addFound(list: PartList, parent: TreeRow | null, isWithinFound: boolean): number {
    const found: { at: number; rows: TreeRow[] }[] = [];
    for (const { row, inner } of linesOf(list, parent)) {
      const start = rows.push(row);
      const isIt = isFound(row.part.name);
      const heldAt = inner ? addFound(inner, row, isWithinFound || isIt) : nowhere;
      const isHeld = heldAt < nowhere;
      row.isExpanded = isHeld || (row.isExpanded && (isIt || isWithinFound));
      if (!row.isExpanded) rows.length = start;
      if (!isIt && !isHeld && !isWithinFound) rows.length = start - 1;
      found.push({ at: isIt ? row.level : heldAt, rows: rows.splice(start - 1) });
    }
    found.sort((a, b) => a.at - b.at);
    for (const block of found) rows.push(...block.rows);
    return found[0]?.at ?? nowhere;
  }

  function linesOf({ kind, parts }: PartList, parent: TreeRow | null): { row: TreeRow; inner: PartList | null }[] {
    return parts.map((part, at) => {
      const children = childrenOf(kind, part);
      const inner = childKinds[kind];
      const place = under(parent, part.id);
      return {
        row: {
          kind,
          id: part.id,
          ...place,
          place: at + 1,
          siblings: parts.length,
          children: children.length,
          isExpanded: children.length > 0 && expanded.has(place.key),
          part,
        },
        inner: inner && { kind: inner, parts: children },
      };
    });
  }

  function childrenOf(kind: PartKind, part: PartOf<PartKind>): readonly PartOf<PartKind>[] {
    if (kind === 'menu') return index.categoriesOfMenu.get(part.id) ?? [];
    if ('item_ids' in part) return known(part.item_ids, index.items);
    if ('option_groups' in part)
      return known(
        part.option_groups.map(({ id }) => id),
        index.groups,
      );
    if ('options' in part)
      return known(
        part.options.map(({ id }) => id),
        index.options,
      );
    return [];
  }

  const menus: PartList = { kind: 'menu', parts: parts.menus };
  if (search.trim() === '') addLines(menus, null);
  else addFound(menus, null, false);
  return rows;
}

interface PartList {
  kind: PartKind;
  parts: readonly PartOf<PartKind>[];
}

function under(parent: TreeRow | null, id: string): Pick<TreeRow, 'key' | 'parentKey' | 'parentId' | 'level'> {
  if (!parent) return { key: id, parentKey: null, parentId: null, level: 1 };
  return { key: `${parent.key}/${id}`, parentKey: parent.key, parentId: parent.id, level: parent.level + 1 };
}

/** A level below all levels of the tree, which stands for no match. */
const nowhere = 9;

export const childKinds: Record<PartKind, PartKind | null> = {
  menu: 'category',
  category: 'item',
  item: 'group',
  group: 'option',
  option: null,
};

function known<T>(ids: readonly string[], things: ReadonlyMap<string, T>): T[] {
  return ids.flatMap((id) => things.get(id) ?? []);
}

export const parentKinds = {
  category: 'menu',
  item: 'category',
  group: 'item',
  option: 'group',
} as const satisfies Partial<Record<PartKind, PartKind>>;
export type MovableKind = keyof typeof parentKinds;

export interface PartMove {
  kind: MovableKind;
  id: string;
  from: string;
  to: string;
  /** The part's position among its new siblings, from 0, not counting the part itself. */
  at: number;
}

export const isMovable = (kind: PartKind): kind is MovableKind => kind !== 'menu';

/**
 * Returns the operations that move a part from the parent `from` to the parent `to`; empty if nothing changes. If `to`
 * already has the part, only the part's position in `to` changes.
 */
export function makeMoveOperations(parts: MenuParts, { kind, id, from, to, at }: PartMove): MenuOperation[] {
  const parent = parentKinds[kind];
  const siblings = linkedChildIds(parts, parent, to);
  const without = siblings.filter((one) => one !== id);
  const wanted = [...without.slice(0, at), id, ...without.slice(at)];
  const isInOrder = siblings.length === wanted.length && siblings.every((one, index) => one === wanted[index]);
  if (from === to && isInOrder) return [];
  if (parent === 'menu') {
    const category = findPart(parts, 'category', id);
    if (!category) return [];
    const into: MenuOperation[] =
      from === to ? [] : [makeGuardedChangeOperation('category', category, { menu_id: to })];
    return [...into, makeReorderCategoriesOperation(wanted)];
  }
  if (from === to) return [makeReorderOperation(parent, to, wanted)];
  const linked: MenuOperation[] = siblings.includes(id) ? [] : [makeLinkOperation(parent, to, [id])];
  const put =
    linked.length > 0 && at >= without.length ? [] : isInOrder ? [] : [makeReorderOperation(parent, to, wanted)];
  return [makeUnlinkOperation(parent, from, [id]), ...linked, ...put];
}
