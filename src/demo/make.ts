import type { Allergens, AllergenCode } from '#menu/menu-shapes.ts';
import type { DemoGroupOption, DemoItem, DemoItemOptionGroup, DemoOption, DemoOptionGroup } from '#demo/demo-parts.ts';

/** A group's key, or a pair with the option that makes the group show: `['toppings-12', 'size-12']`. */
type GivenGroup = string | readonly [group: string, shownWhen: string];

type GivenItem = Pick<DemoItem, 'key' | 'name' | 'kitchen_name' | 'description' | 'price' | 'allergens' | 'station'> &
  Partial<Omit<DemoItem, 'option_groups'>> & { option_groups?: readonly GivenGroup[] };

/** An item with the common values: hot food at the standard rate, available, and with the picture of its own key. */
export function item(given: GivenItem): DemoItem {
  return {
    picture: given.key,
    vat_rate: 2000,
    is_active: true,
    is_available: true,
    unavailable_until: null,
    dietary: [],
    spice_level: 0,
    min_age: null,
    prep_minutes: null,
    max_per_order: null,
    ...given,
    option_groups: (given.option_groups ?? []).map(linkGroup),
  };
}

type GivenOption = Pick<DemoOption, 'key' | 'name'> & Partial<DemoOption>;

/** An option that by default is free, available and without any of the fourteen allergens. */
export function option(given: GivenOption): DemoOption {
  return {
    price: 0,
    is_default: false,
    is_available: true,
    unavailable_until: null,
    vat_rate: null,
    allergens: holds(),
    ...given,
  };
}

type GivenOptionGroup = Pick<DemoOptionGroup, 'key' | 'name'> &
  Partial<Omit<DemoOptionGroup, 'options'>> & {
    options: readonly (string | readonly [option: string, price: number])[];
  };

/** A group that by default allows at most one option. */
export function optionGroup(given: GivenOptionGroup): DemoOptionGroup {
  return {
    min_select: 0,
    max_select: 1,
    free_select: 0,
    max_per_option: 1,
    ...given,
    options: given.options.map((entry): DemoGroupOption => {
      if (typeof entry === 'string') return { option: entry, price: null };
      return { option: entry[0], price: entry[1] };
    }),
  };
}

export function holds(contains: AllergenCode[] = [], may_contain: AllergenCode[] = []): NonNullable<Allergens> {
  return { contains, may_contain };
}

function linkGroup(given: GivenGroup): DemoItemOptionGroup {
  if (typeof given === 'string') return { option_group: given, shown_when_option_id: null };
  return { option_group: given[0], shown_when_option_id: given[1] };
}
