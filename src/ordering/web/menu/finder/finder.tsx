import { m } from '#messages';
import {
  type AppliedFilter,
  foundCategoryId,
  isMenuFiltered,
  setMenuFilter,
  type VisibleCategory,
} from '#ordering/web/menu/menu-filter.ts';
import { filterCategories, type FindableCategory, indexDishes } from '#ordering/web/menu/finder/find-dishes.ts';
import { dietNameEntries } from '#menu/web/menu-words.ts';
import { Icon } from '#ui/web/icon.tsx';
import type { ComponentType } from 'react';
import type { DishFilter } from '#menu/filter-dishes.ts';

/** The most results. They are more than anybody reads, and few enough to render at each letter on a slow phone. */
const most = 30;

/**
 * Indexes these categories, and returns the functions that filter and search them. The results of a search are one
 * category, best match first.
 */
export async function prepareMenuSearch(
  categories: readonly VisibleCategory[],
): Promise<Pick<MenuSearch, 'narrow' | 'find'>> {
  const search = await indexDishes(categories);
  const find: MenuSearch['find'] = (sections, text) => {
    if (text.trim() === '') return null;
    const passing = new Map(sections.flatMap(({ items }) => items.map((item) => [item.id, item])));
    const items = search.find(text).flatMap(({ id }) => passing.get(id) ?? []);
    const [first] = sections;
    if (items.length === 0 || !first) return [];
    const shown = items.slice(0, most);
    return [
      { ...first, id: foundCategoryId, name: m.menu_search_results(), description: '', served: null, items: shown },
    ];
  };
  return { narrow: filterCategories, find };
}

export function FoundDishesStatus({ filter, sections }: FinderStatusProps) {
  const isNarrowed = isMenuFiltered(filter);
  const count = new Set(sections.flatMap(({ items }) => items.map(({ id }) => id))).size;
  return (
    <div className={isNarrowed ? '-mt-3 mb-2 flex flex-wrap items-center gap-x-3 md:mt-0 md:mb-5 md:gap-y-2' : ''}>
      <p role="status" className="num font-semibold">
        {isNarrowed && countWords(count, filter.text.trim() !== '')}
      </p>
      {dietNameEntries.map(
        ([code, name]) =>
          filter.diets.includes(code) && (
            <Chip key={code} words={name()} onRemove={() => setMenuFilter({ diets: leave(filter.diets, code) })} />
          ),
      )}
      {filter.without.length > 0 && (
        <Chip words={m.menu_filter_without_yours()} onRemove={() => setMenuFilter({ hidesAllergens: false })} />
      )}
      {isNarrowed && count > 0 && (
        <button type="button" className="link inline-flex min-h-11 items-center" onClick={clearAll}>
          {m.menu_search_clear()}
        </button>
      )}
      {isNarrowed && count === 0 && <NothingFound />}
    </div>
  );
}

function countWords(count: number, isSearch: boolean): string {
  if (count === 0) return m.menu_search_none();
  return isSearch && count === most ? m.menu_search_best({ count }) : m.menu_search_count({ count });
}

function Chip({ words, onRemove }: { words: string; onRemove: () => void }) {
  return (
    <button
      type="button"
      className="inline-flex min-h-11 items-center gap-1.5 rounded-full border border-line-strong bg-surface pr-3 pl-4 font-semibold hover:bg-sunken"
      aria-label={m.menu_filter_remove({ filter: words })}
      onClick={onRemove}
    >
      {words}
      <Icon name="close" className="size-4" />
    </button>
  );
}

function NothingFound() {
  return (
    <div className="grid w-full justify-items-center gap-4 py-12 text-center">
      <svg
        viewBox="0 0 96 72"
        className="w-32 text-ink-soft"
        aria-hidden="true"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
      >
        <ellipse cx="40" cy="36" rx="30" ry="26" />
        <ellipse cx="40" cy="36" rx="19" ry="16" opacity=".5" />
        <path d="m64 54 18 14" strokeWidth="4" />
      </svg>
      <p className="max-w-sm text-lg text-pretty text-ink-soft">{m.menu_search_none_words()}</p>
      <button type="button" className="btn btn-primary" onClick={clearAll}>
        {m.menu_search_clear()}
      </button>
    </div>
  );
}

/** Shows the whole menu again. The picked allergens stay, because every dish keeps its warnings. */
function clearAll(): void {
  setMenuFilter({ text: '', diets: [], hidesAllergens: false });
}

function leave(codes: readonly string[], gone: string): string[] {
  return codes.filter((code) => code !== gone);
}

export interface MenuSearch {
  /**
   * Returns the categories with the dishes that pass the filter; returns `categories` until the code for it is loaded.
   */
  narrow(categories: VisibleCategory[], filter: DishFilter): VisibleCategory[];
  /** Searches these categories. The result is one category, or none if nothing matches; null for an empty text. */
  find(categories: readonly VisibleCategory[], text: string): VisibleCategory[] | null;
  prepare(): void;
  Status: ComponentType<FinderStatusProps> | null;
  hasFailed: boolean;
}

export interface FinderStatusProps {
  filter: AppliedFilter;
  sections: readonly FindableCategory[];
}
