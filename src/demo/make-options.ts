import type { Allergens, AllergenCode } from '#menu/menu-shapes.ts';
import type { DemoGroupOption, DemoOption, DemoOptionGroup } from '#demo/demo-parts.ts';

type GivenOption = Pick<DemoOption, 'key' | 'name'> & Partial<DemoOption>;

/** Creates an option; by default free, available and without allergens. */
export function demoOption(given: GivenOption): DemoOption {
  return {
    price: 0,
    is_default: false,
    is_available: true,
    unavailable_until: null,
    vat_rate: null,
    allergens: statedAllergens(),
    ...given,
  };
}

type GivenOptionGroup = Pick<DemoOptionGroup, 'key' | 'name'> &
  Partial<Omit<DemoOptionGroup, 'options'>> & {
    options: readonly (string | readonly [option: string, price: number])[];
  };

/** Creates a group of options, of which by default at most one can be chosen. */
export function demoOptionGroup(given: GivenOptionGroup): DemoOptionGroup {
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

export function statedAllergens(
  contains: AllergenCode[] = [],
  may_contain: AllergenCode[] = [],
): NonNullable<Allergens> {
  return { contains, may_contain };
}
