import { allergenCodes, conflictKinds, weekdays } from '#database/page-values.ts';
import { dietaryMarks, pricings } from '#database/column-values.ts';
import { z } from 'zod';
import { Id, Instant, Money } from '#platform/http/shapes.ts';

export const AllergenCode = z.enum(allergenCodes);
export type AllergenCode = z.infer<typeof AllergenCode>;

/**
 * The allergens of a dish or choice, after a person has answered for all fourteen; null: not stated, "ask the shop".
 */
export const Allergens = z.object({ contains: z.array(AllergenCode), may_contain: z.array(AllergenCode) }).nullable();
export type Allergens = z.infer<typeof Allergens>;

export const AllergenConflict = z.object({ code: AllergenCode, kind: z.enum(conflictKinds) });

/** The answers about allergens so far. Null: there are none, or all fourteen have become the part's `allergens`. */
export const AllergenAnswers = z
  .object({ contains: z.array(AllergenCode), may_contain: z.array(AllergenCode), not_in: z.array(AllergenCode) })
  .nullable();
export type AllergenAnswers = z.infer<typeof AllergenAnswers>;

/** A scheduled price change: `price` in minor units from `at` on; null: none is scheduled. */
export const PriceChange = z.object({ price: Money, at: Instant }).nullable();
export type PriceChange = z.infer<typeof PriceChange>;

export const Dietary = z.enum(dietaryMarks);
export type Dietary = z.infer<typeof Dietary>;

export const ItemOption = z.object({ option_group_id: Id, option_id: Id });
export type ItemOption = z.infer<typeof ItemOption>;

export const Option = z.object({
  id: Id,
  name: z.string(),
  /** The option's price. Within a group it is the price in that group, which `price_override` may set. */
  price: Money,
  /** Within a group: the price that replaces the option's own price; null: the option's own price applies. */
  price_override: Money.nullable().optional(),
  is_default: z.boolean(),
  is_available: z.boolean(),
  unavailable_until: Instant.nullable(),
  vat_rate: z.int().nullable(),
  allergens: Allergens,
  position: z.int().optional(),
  /**
   * The dish that this option stands for in a deal; null: none. The dish's name, allergens, VAT and stock replace the
   * option's own.
   */
  item_id: Id.nullable().optional(),
  /**
   * The answers to the dish's option groups. A required group without an answer is filled by `fillRequiredGroups`.
   */
  item_options: z.array(ItemOption).optional(),
  /** The dish's own fields, only if the choice is a dish. */
  kitchen_name: z.string().nullable().optional(),
  min_age: z.int().nullable().optional(),
  prep_minutes: z.int().nullable().optional(),
  station: z.string().nullable().optional(),
  portions_left: z.int().nullable().optional(),
  /** The dish's own price at each VAT rate, by which a deal's VAT is split. */
  price_parts: z.array(z.object({ rate: z.int(), amount: Money })).optional(),
});
export type Option = z.infer<typeof Option>;

export const Pricing = z.enum(pricings);
export type Pricing = z.infer<typeof Pricing>;

export const OptionGroup = z.object({
  id: Id,
  name: z.string(),
  pricing: Pricing,
  min_select: z.int(),
  max_select: z.int(),
  /** The number of free selections: the dearest are free, whatever the order of choosing. */
  free_select: z.int(),
  max_per_option: z.int(),
  /** Within an item: the group's position, and the option that must be chosen to show the group (null: none). */
  position: z.int().optional(),
  shown_when_option_id: Id.nullable().optional(),
  options: z.array(Option).optional(),
});
export type OptionGroup = z.infer<typeof OptionGroup>;

export const Item = z.object({
  id: Id,
  name: z.string(),
  kitchen_name: z.string().nullable(),
  description: z.string(),
  image: z.string().nullable(),
  price: Money,
  vat_rate: z.int(),
  is_active: z.boolean(),
  is_available: z.boolean(),
  unavailable_until: Instant.nullable(),
  allergens: Allergens,
  dietary: z.array(Dietary),
  spice_level: z.int(),
  min_age: z.int().nullable(),
  prep_minutes: z.int().nullable(),
  max_per_order: z.int().nullable(),
  station: z.string().nullable(),
  /** The portions that can still be ordered; null: not counted. */
  portions_left: z.int().nullable(),
  /** Within a category: the item's position. */
  position: z.int().optional(),
  option_groups: z.array(OptionGroup).optional(),
});
export type Item = z.infer<typeof Item>;

export const Category = z.object({
  id: Id,
  menu_id: Id,
  name: z.string(),
  description: z.string(),
  image: z.string().nullable(),
  is_active: z.boolean(),
  position: z.int(),
  items: z.array(Item).optional(),
});
export type Category = z.infer<typeof Category>;

export const Availability = z
  .object({
    days: z.array(z.enum(weekdays)),
    from: z.string().regex(/^\d\d:\d\d$/),
    to: z.string().regex(/^\d\d:\d\d$/),
  })
  .nullable();
export type Availability = z.infer<typeof Availability>;

export const Menu = z.object({
  id: Id,
  store_id: Id,
  name: z.string(),
  description: z.string(),
  is_active: z.boolean(),
  position: z.int(),
  availability: Availability,
  categories: z.array(Category).optional(),
});
export type Menu = z.infer<typeof Menu>;
