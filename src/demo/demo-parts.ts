import type { Category, Item, Menu, Option, OptionGroup } from '#menu/menu-shapes.ts';
import type { StoreFields } from '#store/contract.ts';

/**
 * A whole takeaway as data. Parts refer to each other by `key`, which is unique within a kind; ids are assigned when
 * the parts are stored. A part's position is its index. Money is in pence, VAT in basis points.
 */
export type DemoShop = {
  store: DemoStore;
  menu: DemoMenu;
  categories: readonly DemoCategory[];
  items: readonly DemoItem[];
  option_groups: readonly DemoOptionGroup[];
  options: readonly DemoOption[];
};

export type DemoStore = Omit<
  StoreFields,
  'logo' | 'accent_color' | 'cover' | 'company_number' | 'allergens_text' | 'special_hours'
>;

export type DemoMenu = Pick<Menu, 'name' | 'description' | 'is_active' | 'availability'>;

/**
 * A category; `items` are keys of dishes. The demo's categories have no pictures, because the menu shows the dishes'
 * pictures directly below.
 */
export type DemoCategory = Pick<Category, 'name' | 'description' | 'is_active'> & {
  key: string;
  items: readonly string[];
};

/** A dish of the demo menu; `picture` is the key of its drawn picture. */
export type DemoItem = Omit<Item, 'id' | 'image' | 'position' | 'option_groups' | 'kitchen_name' | 'station'> & {
  key: string;
  picture: string;
  kitchen_name: string;
  station: DemoStation;
  option_groups: readonly DemoItemOptionGroup[];
};

export type DemoStation = 'grill' | 'oven' | 'hob' | 'fryer' | 'cold' | 'drinks';

/**
 * An item's link to a group. `option_group` is the group's key; `shown_when_option_id` is the key of the option that
 * shows the group (null: always shown).
 */
export type DemoItemOptionGroup = { option_group: string; shown_when_option_id: string | null };

export type DemoOptionGroup = Pick<
  OptionGroup,
  'name' | 'min_select' | 'max_select' | 'free_select' | 'max_per_option'
> & {
  key: string;
  options: readonly DemoGroupOption[];
};

/**
 * An option in a group. `option` is the option's key, and `price` its price in this group (null: the option's own
 * price).
 */
export type DemoGroupOption = { option: string; price: number | null };

export type DemoOption = Pick<
  Option,
  'name' | 'price' | 'is_default' | 'is_available' | 'unavailable_until' | 'vat_rate' | 'allergens'
> & { key: string };
