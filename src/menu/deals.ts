import { m } from '#messages';
import { choiceWithDishFields } from '#menu/dish-choices.ts';
import type { MenuParts } from '#menu/fields.ts';
import type { Item } from '#menu/menu-shapes.ts';

/**
 * Gives each choice of a deal the name, allergens, stock and VAT rate of its dish, because the editor shows these
 * fields. If the dish was deleted, the choice keeps its own fields.
 */
export function copyDishFieldsToChoices(parts: MenuParts): MenuParts {
  if (parts.options.every(({ item_id }) => item_id === null)) return parts;
  const dishes = new Map(parts.items.map((item) => [item.id, item]));
  const groups = new Map(parts.option_groups.map((group) => [group.id, group]));
  const options = new Map(parts.options.map((option) => [option.id, option]));
  const withGroups = (item: MenuParts['items'][number]): Item => ({
    ...item,
    option_groups: item.option_groups.flatMap(({ id, shown_when_option_id }) => {
      const group = groups.get(id);
      const own = group?.options.flatMap((link) => options.get(link.id) ?? []) ?? [];
      return group ? [{ ...group, shown_when_option_id, options: own }] : [];
    }),
  });
  return {
    ...parts,
    options: parts.options.map((option) => {
      const dish = dishes.get(option.item_id ?? '');
      if (!dish) return option;
      const { name, allergens, is_available, unavailable_until, vat_rate } = choiceWithDishFields(
        option,
        withGroups(dish),
      );
      return { ...option, name, allergens, allergen_answers: null, is_available, unavailable_until, vat_rate };
    }),
  };
}

export function isDishChoice(part: object): boolean {
  return 'item_id' in part && part.item_id !== null;
}

interface DealParts {
  items: readonly { id: string; name: string; option_groups: readonly { id: string }[] }[];
  option_groups: readonly { id: string; options: readonly { id: string }[] }[];
  options: readonly { id: string; item_id: string | null }[];
}

/** Returns the ids of the deals. A deal is a dish with at least one choice that stands for a dish. */
export function findDealIds({ items, option_groups: groups, options }: DealParts): Set<string> {
  const dishes = new Set(options.filter(({ item_id }) => item_id !== null).map(({ id }) => id));
  const offering = new Set(
    groups.filter((group) => group.options.some(({ id }) => dishes.has(id))).map(({ id }) => id),
  );
  return new Set(items.filter((item) => item.option_groups.some(({ id }) => offering.has(id))).map(({ id }) => id));
}

/** Returns an error message if a deal is a choice of another deal, which is refused; otherwise null. */
export function findDealProblem(parts: DealParts): string | null {
  const deals = findDealIds(parts);
  if (deals.size === 0) return null;
  const chosen = new Set(parts.options.map(({ item_id }) => item_id));
  const inside = parts.items.find(({ id }) => deals.has(id) && chosen.has(id));
  return inside ? m.menu_deal_in_deal({ name: inside.name }) : null;
}
