import { Checkbox, Input } from '@mantine/core';
import type { Menu } from '#menu/menu-shapes.ts';
import { m } from '#messages';
import { createMenuNameLookup } from '#ordering/offers/offer-words.ts';
import classes from '#offers/web/offers.module.css';

export interface OfferDishes {
  categories: { id: string; name: string; items: { id: string; name: string }[] }[];
  nameOf: (id: string) => string;
}

/**
 * Lists the dishes of a store's menus by category. `nameOf` names dishes and categories by id, with a substitute for
 * deleted ones.
 */
export function offerDishesByCategory(menus: readonly Menu[]): OfferDishes {
  const categories = menus
    .flatMap((menu) => menu.categories ?? [])
    .map(({ id, name, items = [] }) => ({ id, name, items: items.map((item) => ({ id: item.id, name: item.name })) }));
  return { categories, nameOf: createMenuNameLookup(menus) };
}

interface DishChoiceProps {
  label: string;
  dishes: OfferDishes;
  items: readonly string[];
  /** The chosen categories; null where only dishes can be chosen. */
  categories: readonly string[] | null;
  error?: string | undefined;
  onChange: (chosen: { items: string[]; categories: string[] }) => void;
}

/** Checkboxes for dishes, by category. A ticked category includes dishes that are added to it later. */
export function DishChoice({ label, dishes, items, categories, error, onChange }: DishChoiceProps) {
  const toggled = (ids: readonly string[], id: string) =>
    ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id];
  const chosen = categories ?? [];
  return (
    <Input.Wrapper label={label} error={error}>
      <div className={classes.dishes} role="group" aria-label={label}>
        {dishes.categories.map((category) => {
          const isWhole = chosen.includes(category.id);
          return (
            <div key={category.id}>
              {categories === null ? (
                category.name
              ) : (
                <Checkbox
                  label={m.offers_whole_category({ category: category.name })}
                  checked={isWhole}
                  onChange={() => onChange({ items: [...items], categories: toggled(chosen, category.id) })}
                />
              )}
              <ul>
                {category.items.map((item) => (
                  <li key={item.id}>
                    <Checkbox
                      label={item.name}
                      checked={isWhole || items.includes(item.id)}
                      disabled={isWhole}
                      onChange={() => onChange({ items: toggled(items, item.id), categories: [...chosen] })}
                    />
                  </li>
                ))}
              </ul>
            </div>
          );
        })}
      </div>
    </Input.Wrapper>
  );
}
