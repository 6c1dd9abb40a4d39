import MiniSearch from 'minisearch';
import type { Category, Item } from '#menu/contract.ts';
import { type DishFilter, passesFilter } from '#menu/filter-dishes.ts';

interface Dish {
  id: string;
  name: string;
  description: string;
  category: string;
  options: string;
}

export type FindableCategory = Pick<Category, 'id' | 'name'> & { items: readonly Item[] };

export interface DishSearch {
  /** The dishes that match, the best first. Every word counts; when none has all of them, any does. */
  find(text: string): Item[];
}

/** Reads the dishes' names, descriptions and options, in small steps so that a finger is answered in between. */
export async function indexDishes(categories: readonly FindableCategory[]): Promise<DishSearch> {
  const items = new Map<string, Item>();
  const dishes: Dish[] = [];
  for (const category of categories) {
    for (const item of category.items) {
      if (items.has(item.id)) continue;
      items.set(item.id, item);
      dishes.push(describe(item, category.name));
    }
  }
  const index = new MiniSearch<Dish>({
    fields: ['name', 'category', 'description', 'options'],
    processTerm: fold,
    searchOptions: {
      boost: { name: 5, category: 2, description: 1.5 },
      prefix: true,
      fuzzy: (term) => (term.length > 3 ? 0.25 : false),
      weights: { fuzzy: 0.4, prefix: 0.7 },
    },
  });
  await index.addAllAsync(dishes, { chunkSize: 8 });
  return {
    find(text) {
      const all = index.search(text, { combineWith: 'AND' });
      const found = all.length > 0 ? all : index.search(text);
      return found.flatMap(({ id }) => items.get(String(id)) ?? []);
    },
  };
}

/** The categories with what passes of them; one that all of passes is itself, and one that nothing of passes is left out. */
export function filterCategories<C extends FindableCategory>(categories: readonly C[], filter: DishFilter): C[] {
  return categories.flatMap((category) => {
    const items = category.items.filter((item) => passesFilter(item, filter));
    if (items.length === 0) return [];
    return items.length === category.items.length ? [category] : [{ ...category, items }];
  });
}

function describe({ id, name, description, option_groups: groups = [] }: Item, category: string): Dish {
  const options = new Set(groups.flatMap((group) => (group.options ?? []).map((option) => option.name)));
  return { id, name, description, category, options: [...options].join(' ') };
}

/** `Jalapeño` is found as `jalapeno`. */
function fold(term: string): string {
  return term.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
