import type { ComponentType } from 'react';
import type { DishFilter } from '#menu/filter-dishes.ts';
import type { FindableCategory } from '#ordering/web/menu/finder/find-dishes.ts';
import type { MenuFilter } from '#ordering/web/menu/menu-filter.ts';
import type { ShownCategory } from '#ordering/web/menu/shown-categories.ts';

export interface Finder {
  /** The categories as they are narrowed; as they came until the code that narrows them is there. */
  narrow(categories: ShownCategory[], filter: DishFilter): ShownCategory[];
  /** The search's result in them, as one category or none; null without a search. */
  find(categories: readonly ShownCategory[], text: string): ShownCategory[] | null;
  /** Loads and prepares the search; called when it will be needed soon. */
  prepare(): void;
  Status: ComponentType<StatusProps> | null;
  hasFailed: boolean;
}

export interface StatusProps {
  filter: MenuFilter;
  sections: readonly FindableCategory[];
}
