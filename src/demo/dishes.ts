import { createHash } from 'node:crypto';
import { demoCategories } from '#demo/categories.ts';
import type { DemoCategory, DemoItem, DemoItemOptionGroup, DemoStation } from '#demo/demo-parts.ts';
import { cellsBelowHeading, readDishFile } from '#demo/dish-file.ts';
import { demoOptionGroups, triggerOptionByGroup } from '#demo/option-groups.ts';
import { demoOptions } from '#demo/options.ts';
import { planImport } from '#menu/import/plan-import.ts';
import { readTable } from '#menu/import/table.ts';
import type { MenuParts } from '#menu/fields.ts';
import { applyOperations } from '#menu/operations/apply-operation.ts';

/**
 * Reads the dishes of `dishes.csv` as an import would. The column `Picture` has the key of a dish, which is also the
 * name of its picture. Throws the import's message for a refused row.
 */
export function readDishes(cells = readDishFile()): {
  items: readonly DemoItem[];
  categories: readonly DemoCategory[];
} {
  const keys = cellsBelowHeading(cells, 'Picture');
  // The import calls `newId` for each dish, in row order, so that each dish gets its key as its id.
  const newId = keys.values();
  const before = partsBefore();
  const plan = planImport(readTable([{ name: '', cells }]), before, {
    currency: 'GBP',
    hidesMissing: false,
    statesAllergens: false,
    newId: () => newId.next().value ?? '',
  });
  const problems = plan.rows.flatMap(({ number, problems: its }) => its.map(({ words }) => `${number}: ${words}`));
  if (problems.length > 0) throw new Error(`dishes.csv, row ${problems.join('; row ')}`);
  const after = applyOperations(before, plan.operations);
  return {
    items: after.items.map(toItem),
    categories: demoCategories.map((category) => ({
      ...category,
      items: after.categories.find(({ id }) => id === category.key)?.item_ids ?? [],
    })),
  };
}

function partsBefore(): MenuParts {
  return {
    store_id: '',
    version: 0,
    menus: [{ id: 'menu', store_id: '', name: '', description: '', is_active: true, availability: null, position: 0 }],
    categories: demoCategories.map(({ key, ...category }, position) => ({
      ...category,
      id: key,
      menu_id: 'menu',
      image: null,
      position,
      item_ids: [],
    })),
    items: [],
    option_groups: demoOptionGroups.map(({ key, options: links, ...group }) => ({
      ...group,
      pricing: 'adds' as const,
      id: groupId(key),
      options: links.map(({ option, price }) => ({ id: option, price_override: price })),
    })),
    options: demoOptions.map(({ key, ...option }) => ({
      ...option,
      id: key,
      item_id: null,
      item_options: [],
      allergen_answers: null,
      price_change: null,
    })),
  };
}

/**
 * The id of a group, as the cells of `dishes.csv` write it. As in an export, six hexadecimal digits distinguish groups
 * with the same name: `Side #632a0f`.
 */
function groupId(key: string): string {
  return `${key} ${createHash('sha256').update(key).digest('hex').slice(0, 6)}`;
}

function toItem(part: MenuParts['items'][number]): DemoItem {
  const { id, image: _image, allergen_answers: _answers, price_change: _change, ...rest } = part;
  const { kitchen_name: kitchenName, station, ...item } = rest;
  const groups = part.option_groups.map((link) => link.id.slice(0, -7));
  // The cast is safe, because every row has all columns, with known stations.
  const facts = { kitchen_name: kitchenName ?? '', station: station as DemoStation };
  return { ...item, ...facts, key: id, picture: id, option_groups: groups.map((group) => toLink(group, groups)) };
}

/**
 * Links a group to a dish. If the dish offers the group's trigger option, the group is hidden until that option is
 * chosen.
 */
function toLink(group: string, all: readonly string[]): DemoItemOptionGroup {
  const wanted = triggerOptionByGroup[group];
  const offersIt = demoOptionGroups.some(
    ({ key, options: links }) => all.includes(key) && links.some(({ option }) => option === wanted),
  );
  return { option_group: group, shown_when_option_id: wanted !== undefined && offersIt ? wanted : null };
}
