import { joinAllergens } from '#menu/dish-allergens.ts';
import type { Item, ItemOption, Option } from '#menu/menu-shapes.ts';
import { indexItem } from '#menu/menu-index.ts';
import { checkGroupChoices, type Selection, visibleGroupIds } from '#menu/option-rules.ts';
import { splitPriceByVatRate } from '#menu/price-parts.ts';

/**
 * Gives a deal's choice the fields of its dish, but not the dish's price. If options fill the dish's required groups,
 * they add to these fields, for example to the name and the allergens.
 */
export function choiceWithDishFields<O extends Option>(option: O, dish: Item): O {
  const { made, isComplete } = fillRequiredGroups(dish, option.item_options ?? []);
  const parts = [dish, ...made.map((answer) => answer.option)];
  const out = parts.filter(({ is_available }) => !is_available).map(({ unavailable_until: until }) => until);
  const isForLong = !isComplete || out.includes(null);
  const named = (name: string) =>
    made.length === 0 ? name : `${name} (${made.map((answer) => answer.option.name).join(', ')})`;
  return {
    ...option,
    name: named(dish.name),
    kitchen_name: dish.kitchen_name === null ? null : named(dish.kitchen_name),
    is_available: isComplete && out.length === 0,
    // The choice stays sold out until the last of its sold-out parts is available again.
    unavailable_until: isForLong ? null : (out.toSorted().at(-1) ?? null),
    vat_rate: dish.vat_rate,
    allergens: joinAllergens(parts.map(({ allergens }) => allergens)),
    min_age: dish.min_age,
    prep_minutes: dish.prep_minutes,
    station: dish.station,
    portions_left: dish.portions_left,
    price_parts: [...splitPriceByVatRate(dish, made)].map(([rate, amount]) => ({ rate, amount })),
  };
}

/**
 * Fills the dish's required groups up to their minimum: first with the answers, then with defaults, then with the first
 * options. `isComplete` is false if a group has too few options.
 */
export function fillRequiredGroups(
  dish: Item,
  answers: readonly ItemOption[],
): { made: Selection[]; isComplete: boolean } {
  const indexed = indexItem(dish);
  const isAnswer = ({ group, option }: Pick<Selection, 'group' | 'option'>) =>
    answers.some(({ option_group_id, option_id }) => option_group_id === group.id && option_id === option.id);
  const rank = (one: Pick<Selection, 'group' | 'option'>) => (isAnswer(one) ? 0 : one.option.is_default ? 1 : 2);
  const all = [...indexed.groups.values()].flatMap(({ group, options }) =>
    [...options.values()].toSorted((a, b) => rank(a) - rank(b) || a.place - b.place).slice(0, group.min_select),
  );
  const selected = all.map((one): Selection => ({ ...one, quantity: 1 })).sort((a, b) => a.place - b.place);
  const shown = visibleGroupIds(indexed, selected);
  const made = selected.filter(({ group }) => shown.has(group.id));
  const groups = [...indexed.groups.values()].map(({ group }) => group).filter(({ id }) => shown.has(id));
  return { made, isComplete: groups.every((group) => checkGroupChoices(group, made) === null) };
}
