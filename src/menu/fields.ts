import { z } from 'zod';
import { m } from '#messages';
import { sortAllergenAnswers } from '#menu/allergen-answers.ts';
import { allergenCodes } from '#database/page-values.ts';
import { unlimitedMaxSelect } from '#menu/option-rules.ts';
import {
  AllergenAnswers,
  AllergenCode,
  Category,
  Dietary,
  Item,
  ItemOption,
  Menu,
  Option,
  OptionGroup,
  PriceChange,
  Pricing,
} from '#menu/menu-shapes.ts';
import { Id, Instant, PictureAddress } from '#platform/http/shapes.ts';
import { htmlToText } from '#platform/markup.ts';
import { toPlainLine } from '#platform/plain-text.ts';
import { OpeningEntry } from '#store/hours-shapes.ts';

/** Whether PostgreSQL can store the text: it has no NUL and no half of a surrogate pair. */
const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed();
const Text = (max: number) =>
  z
    .string({ error: () => m.menu_text_needed() })
    .overwrite(htmlToText)
    .trim()
    .max(max, { error: () => m.menu_text_long({ max }) })
    .refine(isStorable, { error: () => m.menu_text_odd() });
/** A name has one line and no invisible characters, so that different names look different. */
const Name = (max: number) =>
  Text(max)
    .overwrite((name) => toPlainLine(name).trim())
    .min(1, { error: () => m.menu_text_needed() });
const Whole = (min: number, max: number) => {
  const error = () => m.menu_number_range({ min, max });
  return z.int({ error }).min(min, { error }).max(max, { error });
};

/**
 * A price in minor units. The limit of £10,000 is above any dish's price, and keeps totals within the range of their
 * column.
 */
const Price = Whole(0, 1_000_000);
const VatRate = Whole(0, 10_000);
const PortionsLeft = Whole(0, 10_000);

/** Lists each code once, in the law's order. A contained allergen is removed from `may_contain`. */
const StatedAllergens = z
  .object({ contains: z.array(AllergenCode), may_contain: z.array(AllergenCode) })
  .transform(({ contains, may_contain: may }) => ({
    contains: allergenCodes.filter((code) => contains.includes(code)),
    may_contain: allergenCodes.filter((code) => may.includes(code) && !contains.includes(code)),
  }))
  .nullable();
const allergens = {
  allergens: StatedAllergens,
  /**
   * The answers about allergens so far. Answers about all fourteen become `allergens`, unless the request also sends
   * `allergens: null` or the part awaits confirmation.
   */
  allergen_answers: AllergenAnswers.transform((answers) => answers && sortAllergenAnswers(answers)),
};

const ServedWindow = z
  .object({
    days: z
      .array(OpeningEntry.shape.day)
      .min(1, { error: () => m.menu_days_needed() })
      .transform(unique),
    from: OpeningEntry.shape.open,
    to: OpeningEntry.shape.close,
  })
  .nullable();

/**
 * The time of a scheduled change, in UTC. `text >= '2000'` refuses years before 2000, and years after 9999, whose text
 * begins with `+`.
 */
const FutureInstant = Instant.transform((text) => new Date(text).toISOString()).refine((text) => text >= '2000', {
  error: () => m.menu_time_invalid(),
});
const stock = { is_available: z.boolean(), unavailable_until: FutureInstant.nullable() };
const priceChange = { price_change: z.object({ price: Price, at: FutureInstant }).nullable() };
/**
 * Whether a part is available. `unavailable_until`: when a sold-out part becomes available again; null: once somebody
 * marks it as available.
 */
export const AvailabilityChange = z.object({ ...stock, unavailable_until: stock.unavailable_until.default(null) });
export const DishAvailabilityChange = AvailabilityChange.extend({ portions_left: PortionsLeft.nullable().optional() });

/**
 * The fields of a menu that an admin may set. In a PATCH all are optional. In a POST the fields without a default are
 * required.
 */
export const MenuFields = z.object({
  name: Name(80),
  description: Text(500),
  is_active: z.boolean(),
  availability: ServedWindow,
});

export const CategoryFields = z.object({
  menu_id: Id.toLowerCase(),
  name: Name(80),
  description: Text(500),
  image: PictureAddress.nullable(),
  is_active: z.boolean(),
});

export const ItemFields = z.object({
  name: Name(120),
  kitchen_name: Name(60).nullable(),
  description: Text(1000),
  image: PictureAddress.nullable(),
  price: Price,
  ...priceChange,
  vat_rate: VatRate,
  is_active: z.boolean(),
  ...stock,
  ...allergens,
  dietary: z.array(Dietary).transform(unique),
  spice_level: Whole(0, 3),
  min_age: Whole(1, 99).nullable(),
  prep_minutes: Whole(0, 240).nullable(),
  max_per_order: Whole(1, 100).nullable(),
  station: Name(40).nullable(),
  portions_left: PortionsLeft.nullable(),
});
export type ItemFields = z.infer<typeof ItemFields>;

export const OptionFields = z.object({
  name: Name(80),
  price: Price,
  ...priceChange,
  is_default: z.boolean(),
  ...stock,
  vat_rate: VatRate.nullable(),
  ...allergens,
  /**
   * The dish that this option stands for in a deal. The dish's name, allergens, VAT and stock replace the option's own.
   */
  item_id: Id.toLowerCase().nullable(),
  /**
   * The answers to the dish's option groups. A required group without an answer is filled by `fillRequiredGroups`.
   */
  item_options: z.array(z.object({ option_group_id: Id.toLowerCase(), option_id: Id.toLowerCase() })).max(30),
});
export type OptionFields = z.infer<typeof OptionFields>;

export const OptionGroupFields = z.object({
  name: Name(80),
  /**
   * With `is_price`, the chosen option's price is the item's price: exactly one option is chosen, and `free_select` is
   * 0. Such a group has no condition, and an item has at most one such group.
   */
  pricing: Pricing,
  min_select: Whole(0, unlimitedMaxSelect),
  max_select: Whole(1, unlimitedMaxSelect),
  free_select: Whole(0, unlimitedMaxSelect),
  max_per_option: Whole(1, 20),
});

/**
 * An item's group with its condition, which is an option in another group of the item. The group is shown once this
 * option is chosen; null: always.
 */
export const GroupOnItem = z.object({ id: Id.toLowerCase(), shown_when_option_id: Id.toLowerCase().nullable() });
/** An option of a group. `price_override` is its price in that group; null: the option's own price. */
export const OptionInGroup = z.object({ id: Id.toLowerCase(), price_override: Price.nullable() });

/** The id of a new part. A client may choose it, so that a retry creates the part once. */
export const NewId = Id.toLowerCase().optional();

/** The ids of all siblings in their new order; empty if there are none. */
export const SiblingIds = z
  .array(Id.toLowerCase())
  .max(1000)
  .refine((ids) => new Set(ids).size === ids.length, { error: () => m.menu_ids_twice() });
export const PartIds = SiblingIds.min(1, { error: () => m.menu_ids_needed() });

function unique<T>(values: T[]): T[] {
  return [...new Set(values)];
}

/**
 * A store's menus, with each part once; parts refer to each other by id. Menus, categories and the lists inside a part,
 * such as `item_ids`, are in the order that customers see; all other parts are sorted by name. `price_override` is an
 * option's price in one group.
 */
export const MenuParts = z.object({
  store_id: Id,
  /** Counts the changes of the store and its menu. */
  version: z.int(),
  menus: z.array(Menu.omit({ categories: true })),
  categories: z.array(Category.omit({ items: true }).extend({ item_ids: z.array(Id) })),
  items: z.array(
    Item.omit({ option_groups: true, position: true }).extend({
      option_groups: z.array(GroupOnItem),
      allergen_answers: AllergenAnswers,
      price_change: PriceChange,
    }),
  ),
  option_groups: z.array(
    OptionGroup.omit({ options: true, position: true, shown_when_option_id: true }).extend({
      options: z.array(OptionInGroup),
    }),
  ),
  options: z.array(
    Option.pick({
      id: true,
      name: true,
      price: true,
      is_default: true,
      is_available: true,
      unavailable_until: true,
      vat_rate: true,
      allergens: true,
    }).extend({
      allergen_answers: AllergenAnswers,
      price_change: PriceChange,
      item_id: Id.nullable(),
      item_options: z.array(ItemOption),
    }),
  ),
});
export type MenuParts = z.infer<typeof MenuParts>;
