import type { Category, Item, Menu, Option, OptionGroup } from '#menu/menu-shapes.ts';
import type { StoreFields } from '#store/contract.ts';

/**
 * A whole takeaway. Parts refer to each other by `key`, unique by kind; storing assigns ids. List order is the
 * position. Money in pence, VAT in basis points.
 */
export type DemoShop = {
  store: DemoStore;
  menu: DemoMenu;
  categories: readonly DemoCategory[];
  items: readonly DemoItem[];
  option_groups: readonly DemoOptionGroup[];
  options: readonly DemoOption[];
};

export type DemoStore = Omit<StoreFields, 'logo' | 'accent_color' | 'cover' | 'company_number' | 'allergens_text'>;

export type DemoMenu = Pick<Menu, 'name' | 'description' | 'is_active' | 'availability'>;

/** `items`: item keys. Categories have no picture, because dishes are right below. */
export type DemoCategory = Pick<Category, 'name' | 'description' | 'is_active'> & {
  key: string;
  items: readonly string[];
};

/** `picture` is the key of a dish picture. */
export type DemoItem = Omit<Item, 'id' | 'image' | 'position' | 'option_groups' | 'kitchen_name' | 'station'> & {
  key: string;
  picture: string;
  kitchen_name: string;
  station: Station;
  option_groups: readonly DemoItemOptionGroup[];
};

export type Station = 'grill' | 'oven' | 'hob' | 'fryer' | 'cold' | 'drinks';

/** Both are keys: of the group, and of the option that makes the group show. */
export type DemoItemOptionGroup = { option_group: string; shown_when_option_id: string | null };

export type DemoOptionGroup = Pick<
  OptionGroup,
  'name' | 'min_select' | 'max_select' | 'free_select' | 'max_per_option'
> & {
  key: string;
  options: readonly DemoGroupOption[];
};

/** null: the option's own price. */
export type DemoGroupOption = { option: string; price: number | null };

export type DemoOption = Pick<
  Option,
  'name' | 'price' | 'is_default' | 'is_available' | 'unavailable_until' | 'vat_rate' | 'allergens'
> & { key: string };
