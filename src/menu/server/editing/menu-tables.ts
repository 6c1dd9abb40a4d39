import { type RawBuilder, sql } from 'kysely';
import { allergenFields } from '#menu/allergen-answers.ts';

/** The tables of a menu's parts and of their links. */
export type MenuTable =
  | 'menus'
  | 'categories'
  | 'category_items'
  | 'items'
  | 'item_option_groups'
  | 'option_groups'
  | 'option_group_options'
  | 'options';

/** For statements that are the same for several of these tables. */
export function menuTable(name: MenuTable): RawBuilder<unknown> {
  return sql.table(name);
}

/** The columns of the fields about allergens, of a part that is new or stood as `before`; empty if none of them is given. */
export function allergenColumns(...given: Parameters<typeof allergenFields>) {
  const { allergens, allergen_answers: answers } = allergenFields(...given);
  if (allergens === undefined || answers === undefined) return {};
  return {
    allergens: allergens && JSON.stringify(allergens),
    allergen_answers: answers && JSON.stringify(answers),
  };
}
