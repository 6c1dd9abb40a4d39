import { createElement, memo, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { m } from '#messages';
import { ItemSheet } from '#ordering/web/menu/item-sheet.tsx';
import {
  menuUrl,
  readMenuFilter,
  setMenuFilter,
  elementBeforeSheet,
  useMenuFilter,
  visibleCategories,
} from '#ordering/web/menu/menu-filter.ts';
import { categorySectionId, scrollToCategory } from '#ordering/web/menu/category-rail.tsx';
import { useStoredLine } from '#ordering/web/basket/basket-store.ts';
import { cachedMenuIndex, useDeferredBasketView } from '#ordering/web/basket/basket-view.ts';
import { Sheet } from '#ui/web/sheet.tsx';
import { useShop } from '#shop/web/shop.ts';
import { navigate, usePath } from '#platform/web/navigation.tsx';
import { lazyPart } from '#ui/web/lazy-part.ts';
import { BasketContent } from '#ordering/web/basket/basket-lines.tsx';
import { Icon } from '#ui/web/icon.tsx';
import type { Item, Menu } from '#menu/menu-shapes.ts';
import { type DishFilter, passesDishFilter } from '#menu/filter-dishes.ts';
import { allergenNameEntries } from '#menu/allergen-words.ts';
import { dietNameEntries } from '#menu/web/menu-words.ts';

// A card's button calls `quickAdd`. The function is exported here, so that it is loaded with the sheets, before the
// first tap.
export { quickAdd } from '#ordering/web/menu/quick-add.ts';

const codeLink = lazyPart<{ code: string; onTaken: () => void }>(
  async () => (await import('#ordering/web/basket/code-row.tsx')).CodeLink,
  () => null,
);

/**
 * The sheet over a page, by the page's address. `?item=` opens a dish, `?line=` a line of the basket to change,
 * `?basket` the basket, `?categories` the list of categories, `?filter` the menu's filters. `?code=` puts a code into
 * the basket. Back closes a sheet.
 */
export function MenuSheets({ query }: { query: string }) {
  const search = new URLSearchParams(query);
  const { store, menus } = useShop();
  const close = useSheetCloser();
  useFocusBack(search.get('item'));
  const line = useStoredLine(search.get('line'));
  const itemId = line?.item_id ?? search.get('item');
  const item = itemId ? cachedMenuIndex(menus).items.get(itemId) : undefined;
  if (item) return <ItemSheet key={line?.key ?? itemId} store={store} item={item} line={line} onClose={close} />;
  if (itemId) return <UnknownItem onClose={close} />;
  const code = search.get('code');
  if (code !== null) return createElement(codeLink(), { code, onTaken: close });
  if (search.has('categories')) return <CategorySheet onClose={close} />;
  if (search.has('filter')) return <FilterSheet onClose={close} />;
  return search.has('basket') ? <BasketSheet onClose={close} /> : null;
}

/**
 * Returns a function that closes the sheet. It goes back in the history if this page opened the sheet; otherwise it
 * removes the sheet from the address.
 */
function useSheetCloser(): () => void {
  const path = usePath();
  return () => {
    if ((history.state as { isSheet?: boolean } | null)?.isSheet) history.back();
    else navigate(menuUrl('', path), { replace: true });
  };
}

/**
 * When a sheet closes, focuses the element that opened the sheet, even if Tab was pressed while the sheet loaded. If a
 * link to a dish opened the page, focuses the card of that dish.
 */
function useFocusBack(itemId: string | null): void {
  const [arrivedAt] = useState(itemId);
  useEffect(() => {
    const opener = elementBeforeSheet.current;
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) return opener.focus({ preventScroll: true });
      const links = [...document.querySelectorAll<HTMLAnchorElement>('main a.dish[href^="/menu?item="]')];
      const card = links.find(({ search }) => new URLSearchParams(search).get('item') === arrivedAt);
      card?.scrollIntoView({ block: 'center' });
      card?.focus({ preventScroll: true });
    };
  }, [arrivedAt]);
}

function UnknownItem({ onClose }: { onClose: () => void }) {
  return (
    <Sheet labelledBy="unknown-item" onClose={onClose}>
      <div className="grid justify-items-start gap-4 p-6">
        <h2 id="unknown-item" className="text-2xl">
          {m.menu_item_gone()}
        </h2>
        <button type="button" className="btn btn-primary" onClick={onClose}>
          {m.menu_see()}
        </button>
      </div>
    </Sheet>
  );
}

function BasketSheet({ onClose }: { onClose: () => void }) {
  const view = useDeferredBasketView();
  return (
    <Sheet labelledBy="basket-sheet-title" onClose={onClose}>
      <button
        type="button"
        aria-label={m.platform_close()}
        className="absolute top-3 right-3 z-10 grid size-11 place-items-center rounded-full bg-sunken"
        onClick={onClose}
      >
        <Icon name="close" />
      </button>
      <BasketContent view={view} titleId="basket-sheet-title" />
    </Sheet>
  );
}

/**
 * The menu's filters, each with the number of dishes that it leaves. A filter applies at once, so closing the sheet
 * changes nothing.
 */
function FilterSheet({ onClose }: { onClose: () => void }) {
  const { menus } = useShop();
  const filter = useMenuFilter();
  const items = useMemo(() => everyDish(menus), [menus]);
  const count = (narrowed: DishFilter) => items.filter((item) => passesDishFilter(item, narrowed)).length;
  const { diets, without } = filter;
  // The filter is deferred, so that the sheet opens and a tick renders before the dishes are counted.
  const counted = useDeferredValue<DishFilter | null>(filter, null);
  return (
    <Sheet labelledBy="filter-title" onClose={onClose}>
      <SheetHead id="filter-title" title={m.menu_filter_title()} onClose={onClose} />
      <div className="grid min-h-0 flex-1 gap-6 overflow-y-auto overscroll-contain px-5 pb-5 sm:px-6">
        <fieldset>
          <legend className="display text-lg font-bold">{m.menu_filter_diet()}</legend>
          <ul className="mt-2 grid sm:grid-cols-2 sm:gap-x-6">
            {dietNameEntries.map(([code, name]) => (
              <Tick
                key={code}
                words={name()}
                isOn={diets.includes(code)}
                count={counted && count({ ...counted, diets: [...counted.diets, code] })}
                countWords={m.menu_filter_dishes}
                code={code}
                onToggle={toggleDiet}
              />
            ))}
          </ul>
        </fieldset>
        <fieldset aria-describedby="without-hint">
          <legend className="display text-lg font-bold">{m.menu_filter_without()}</legend>
          <p id="without-hint" className="mt-1 text-sm text-ink-soft">
            {m.menu_filter_without_hint()}
          </p>
          <ul className="mt-2 grid sm:grid-cols-2 sm:gap-x-6">
            {allergenNameEntries.map(([code, name]) => (
              <Tick
                key={code}
                words={name()}
                isOn={without.includes(code)}
                count={counted && count({ ...counted, without: [...counted.without, code] })}
                countWords={m.menu_filter_dishes_without}
                code={code}
                onToggle={toggleWithout}
              />
            ))}
          </ul>
        </fieldset>
      </div>
      <div className="flex flex-wrap gap-3 border-t border-line p-4 pb-[max(1rem,env(safe-area-inset-bottom))]">
        <button
          type="button"
          className="btn btn-quiet min-h-12"
          disabled={diets.length + without.length === 0}
          onClick={() => setMenuFilter({ diets: [], without: [] })}
        >
          {m.menu_filter_clear()}
        </button>
        <button type="button" className="btn btn-primary num min-h-12 flex-1" onClick={onClose}>
          {m.menu_filter_show({ count: count(counted ?? filter) })}
        </button>
      </div>
    </Sheet>
  );
}

function SheetHead({ id, title, onClose }: { id: string; title: string; onClose: () => void }) {
  return (
    <div className="flex items-start justify-between gap-4 p-5 pb-3 sm:p-6 sm:pb-3">
      <h2 id={id} className="pt-1.5 text-2xl">
        {title}
      </h2>
      <button
        type="button"
        aria-label={m.platform_close()}
        className="grid size-11 shrink-0 place-items-center rounded-full bg-sunken"
        onClick={onClose}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}

/** All categories with the number of their dishes. A tap closes the sheet and scrolls to the category. */
function CategorySheet({ onClose }: { onClose: () => void }) {
  const { menus } = useShop();
  const filter = useMenuFilter();
  const categories = useMemo(() => countDishes(menus, filter), [menus, filter]);
  const [current] = useState(() => document.querySelector<HTMLAnchorElement>('.rail [aria-current]')?.hash);
  const chosen = useRef('');
  // The menu can scroll only when the sheet is gone, and by then the sheet's opener has got the focus back.
  useEffect(() => () => scrollToCategory(chosen.current), []);
  return (
    <Sheet labelledBy="categories-title" onClose={onClose}>
      <SheetHead id="categories-title" title={m.menu_all_categories()} onClose={onClose} />
      <ul className="min-h-0 overflow-y-auto overscroll-contain px-5 pb-[max(1.25rem,env(safe-area-inset-bottom))] sm:px-6">
        {categories.map(({ id, name, count }) => (
          <li key={id} className="border-b border-line last:border-0">
            <a
              href={`#${categorySectionId(id)}`}
              aria-current={current === `#${categorySectionId(id)}` ? 'true' : undefined}
              className="flex min-h-12 items-center justify-between gap-4 py-2 font-semibold aria-[current]:text-accent-text"
              onClick={(event) => {
                event.preventDefault();
                chosen.current = id;
                onClose();
              }}
            >
              {name}
              <span className="num shrink-0 text-sm font-normal text-ink-soft">{m.menu_filter_dishes({ count })}</span>
            </a>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}

/** The categories that the filter leaves on the menu, each with the number of its dishes. */
function countDishes(menus: readonly Menu[], filter: DishFilter): { id: string; name: string; count: number }[] {
  return visibleCategories(menus).flatMap(({ id, name, items }) => {
    const count = items.filter((item) => passesDishFilter(item, filter)).length;
    return count > 0 ? [{ id, name, count }] : [];
  });
}

interface TickProps {
  code: string;
  words: string;
  isOn: boolean;
  /** The number of dishes that remain with this filter; null while they are not counted. */
  count: number | null;
  countWords: (found: { count: number }) => string;
  onToggle: (code: string) => void;
}

const Tick = memo(function Tick({ code, words, isOn, count, countWords, onToggle }: TickProps) {
  return (
    <li>
      <label className="flex min-h-11 flex-wrap items-center gap-x-3">
        <input
          type="checkbox"
          className="size-5 shrink-0 accent-accent-edge"
          checked={isOn}
          onChange={() => onToggle(code)}
        />
        <span className="grow first-letter:uppercase">{words}</span>
        <span className="num text-sm text-ink-soft">{count === null ? null : countWords({ count })}</span>
      </label>
    </li>
  );
});

function toggleDiet(code: string): void {
  setMenuFilter({ diets: toggle(readMenuFilter().diets, code) });
}

function toggleWithout(code: string): void {
  setMenuFilter({ without: toggle(readMenuFilter().without, code) });
}

function everyDish(menus: readonly Menu[]): Item[] {
  const dishes = new Map<string, Item>();
  for (const { categories = [] } of menus) {
    for (const { is_active: isShown, items = [] } of categories) {
      for (const item of items) if (isShown && item.is_active) dishes.set(item.id, item);
    }
  }
  return [...dishes.values()];
}

function toggle(codes: readonly string[], code: string): string[] {
  return codes.includes(code) ? codes.filter((each) => each !== code) : [...codes, code];
}
