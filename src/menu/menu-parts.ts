import { z } from 'zod';
import { AllergenAnswers, Category, Item, Menu, Option, OptionGroup } from '#menu/menu-shapes.ts';
import { GroupLink, OptionLink } from '#menu/fields.ts';
import { Id } from '#platform/http/shapes.ts';

/**
 * Everything on a store's menus, each thing once. Lists of ids and links are in order; an option's price is its
 * own, and `price_override` is its price in that group instead.
 */
export const MenuParts = z.object({
  store_id: Id,
  /** Counts the changes to the store and to its menu. */
  version: z.int(),
  menus: z.array(Menu.omit({ categories: true })),
  categories: z.array(Category.omit({ items: true }).extend({ item_ids: z.array(Id) })),
  items: z.array(
    Item.omit({ option_groups: true, position: true }).extend({
      option_groups: z.array(GroupLink),
      allergen_answers: AllergenAnswers,
    }),
  ),
  option_groups: z.array(
    OptionGroup.omit({ options: true, position: true, shown_when_option_id: true }).extend({
      options: z.array(OptionLink),
    }),
  ),
  options: z.array(Option.omit({ price_override: true, position: true }).extend({ allergen_answers: AllergenAnswers })),
});
export type MenuParts = z.infer<typeof MenuParts>;
