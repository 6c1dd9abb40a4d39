import type { Category, Item, Menu, Option, OptionGroup } from '#menu/menu-shapes.ts';

/** Menus with each part once, under its id, because nested groups and options take five times as long to parse. */
export interface PackedMenus {
  menus: (Omit<Menu, 'categories'> & {
    categories: (Omit<Category, 'items'> & { items: [id: string, position?: number][] })[];
  })[];
  items: Record<string, Omit<Item, 'id' | 'option_groups' | 'position'> & { option_groups: PackedLink[] }>;
  groups: Record<
    string,
    Omit<OptionGroup, 'id' | 'options' | 'position' | 'shown_when_option_id'> & { options: PackedOption[] }
  >;
  options: Record<string, Omit<Option, 'id' | 'price' | 'price_override' | 'position'>>;
}

type PackedLink = [groupId: string, shownWhen: string | null, position?: number];
type PackedOption = [optionId: string, price: number, override: number | null, position?: number];

export function packMenus(menus: readonly Menu[]): PackedMenus {
  const packed: PackedMenus = { menus: [], items: {}, groups: {}, options: {} };
  for (const { categories = [], ...menu } of menus) {
    packed.menus.push({
      ...menu,
      categories: categories.map(({ items = [], ...category }) => ({
        ...category,
        items: items.map((item) => packItem(packed, item)),
      })),
    });
  }
  return packed;
}

export function unpackMenus({ menus, items, groups, options }: PackedMenus): Menu[] {
  const groupOptions = new Map(
    Object.entries(groups).map(([id, group]) => [id, group.options.map((each) => unpackOption(options, each))]),
  );
  const unpackGroup = ([id, shownWhen, position]: PackedLink): OptionGroup => ({
    ...found(groups[id]),
    id,
    options: found(groupOptions.get(id)),
    shown_when_option_id: shownWhen,
    ...at(position),
  });
  const unpacked = new Map(
    Object.entries(items).map(([id, item]): [string, Item] => [
      id,
      { ...item, id, option_groups: item.option_groups.map(unpackGroup) },
    ]),
  );
  return menus.map((menu) => ({
    ...menu,
    categories: menu.categories.map((category) => ({
      ...category,
      items: category.items.map(([id, position]) => ({ ...found(unpacked.get(id)), ...at(position) })),
    })),
  }));
}

function packItem(packed: PackedMenus, { id, option_groups: groups = [], position, ...item }: Item): [string, number?] {
  packed.items[id] ??= { ...item, option_groups: groups.map((group) => packGroup(packed, group)) };
  return [id, position];
}

function packGroup(
  packed: PackedMenus,
  { id, options = [], position, shown_when_option_id, ...group }: OptionGroup,
): PackedLink {
  packed.groups[id] ??= { ...group, options: options.map((option) => packOption(packed, option)) };
  return [id, shown_when_option_id ?? null, position];
}

function packOption(
  packed: PackedMenus,
  { id, price, price_override: override, position, ...option }: Option,
): PackedOption {
  const { item_id: dish, item_options: answers, ...own } = option;
  packed.options[id] ??= dish ? { ...own, item_id: dish, item_options: answers } : own;
  return [id, price, override ?? null, position];
}

function unpackOption(options: PackedMenus['options'], [id, price, override, position]: PackedOption): Option {
  return { ...found(options[id]), id, price, price_override: override, ...at(position) };
}

function at(position: number | undefined | null): { position?: number } {
  return typeof position === 'number' ? { position } : {};
}

/** Returns a referenced part, which exists because `packMenus` has packed it. */
function found<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The packed menu is not whole.');
  return value;
}
