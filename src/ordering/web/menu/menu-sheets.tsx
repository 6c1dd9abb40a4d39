import { createElement, memo, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { m } from '#messages';
import { ItemSheet } from '#ordering/web/menu/item-sheet.tsx';
import {
  menuUrl,
  readMenuFilter,
  setMenuFilter,
  elementFocusedBeforeSheet,
  useMenuFilter,
  visibleCategories,
} from '#ordering/web/menu/menu-filter.ts';
import { categorySectionId, scrollToCategory } from '#ordering/web/menu/category-rail.tsx';
import { useAppliedFilter } from '#ordering/web/menu/avoided-allergens.ts';
import { useSession } from '#accounts/web/session.ts';
import { useStoredLine } from '#ordering/web/basket/basket-store.ts';
import { getCachedMenuIndex, useDeferredBasketView } from '#ordering/web/basket/basket-view.ts';
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
  async () => (await import('#ordering/web/basket/code-row.tsx')).LinkedOfferCode,
  () => null,
);

/**
 * The sheet over a page, by the page's address. `?item=` opens a dish, `?line=` a line of the basket to change,
 * `?basket` the basket, `?categories` the list of categories, `?allergens` the visitor's allergens, `?filter` the
 * menu's diets. `?code=` puts a code into the basket. Back closes a sheet.
 */
export function MenuSheets({ query }: { query: string }) {
  const search = new URLSearchParams(query);
  const { store, menus } = useShop();
  const close = useSheetCloser();
  useFocusBack(search.get('item'));
  const line = useStoredLine(search.get('line'));
  const itemId = line?.item_id ?? search.get('item');
  const item = itemId ? getCachedMenuIndex(menus).items.get(itemId) : undefined;
  if (item) return <ItemSheet key={line?.key ?? itemId} store={store} item={item} line={line} onClose={close} />;
  if (itemId) return <UnknownItem onClose={close} />;
  const code = search.get('code');
  if (code !== null) return createElement(codeLink(), { code, onTaken: close });
  if (search.has('categories')) return <CategorySheet onClose={close} />;
  if (search.has('allergens')) return <AllergenSheet onClose={close} />;
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
    const opener = elementFocusedBeforeSheet.current;
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

/** The diets, each with the number of dishes that it leaves. A tick applies at once, so closing changes nothing. */
function FilterSheet({ onClose }: { onClose: () => void }) {
  const { counted, count, left } = useDishCounts();
  const { diets } = useMenuFilter();
  return (
    <Sheet labelledBy="filter-title" onClose={onClose}>
      <SheetHead id="filter-title" title={m.menu_filter_title()} onClose={onClose} />
      <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-5 pb-5 sm:px-6">
        <ul aria-labelledby="filter-title" className="grid sm:grid-cols-2 sm:gap-x-6">
          {dietNameEntries.map(([code, name]) => (
            <Tick
              key={code}
              words={name()}
              isOn={diets.includes(code)}
              detail={
                counted && m.menu_filter_dishes({ count: count({ ...counted, diets: [...counted.diets, code] }) })
              }
              code={code}
              onToggle={toggleDiet}
            />
          ))}
        </ul>
      </div>
      <FilterFoot
        canClear={diets.length > 0}
        onClear={() => setMenuFilter({ diets: [] })}
        left={left}
        onClose={onClose}
      />
    </Sheet>
  );
}

/**
 * The allergens that the visitor avoids. Once one is picked, every dish answers about it; whether the menu hides dishes
 * is a separate choice.
 */
function AllergenSheet({ onClose }: { onClose: () => void }) {
  const { left } = useDishCounts();
  const { allergens, hidesAllergens } = useMenuFilter();
  const ofProfile = useSession().user?.allergies ?? [];
  // The table of allergens hides no dish.
  const isOnMenu = usePath() === '/menu';
  return (
    <Sheet labelledBy="allergens-title" onClose={onClose}>
      <SheetHead id="allergens-title" title={m.menu_allergens_yours()} onClose={onClose} />
      <div className="grid min-h-0 flex-1 content-start gap-4 overflow-y-auto overscroll-contain px-5 pb-5 sm:px-6">
        <p id="allergens-hint">{m.menu_allergens_hint()}</p>
        <ul aria-describedby="allergens-hint" className="grid grid-cols-2 gap-x-6 tight:grid-cols-1">
          {allergenNameEntries.map(([code, name]) => {
            const isOfProfile = ofProfile.some((each) => each === code);
            return (
              <Tick
                key={code}
                words={name()}
                isOn={isOfProfile || allergens.includes(code)}
                isFixed={isOfProfile}
                detail={isOfProfile ? m.menu_allergens_of_profile() : null}
                code={code}
                onToggle={toggleAllergen}
              />
            );
          })}
        </ul>
        <div className="grid gap-1 border-t border-line pt-3" hidden={!isOnMenu}>
          <ul>
            <Tick
              words={m.menu_allergens_hide()}
              describedBy="hide-hint"
              isOn={hidesAllergens}
              detail={null}
              code=""
              onToggle={() => setMenuFilter({ hidesAllergens: !readMenuFilter().hidesAllergens })}
            />
          </ul>
          <p id="hide-hint" className="text-sm text-ink-soft">
            {m.menu_allergens_hide_hint()}
          </p>
        </div>
      </div>
      <FilterFoot
        canClear={allergens.length > 0}
        onClear={() => setMenuFilter({ allergens: [] })}
        left={isOnMenu ? left : null}
        onClose={onClose}
      />
    </Sheet>
  );
}

/**
 * Counts the dishes that a filter leaves; `left` are those of the visitor's. The filter is deferred, so that a sheet
 * opens and a tick renders before the dishes are counted.
 */
function useDishCounts() {
  const { menus } = useShop();
  const items = useMemo(() => everyDish(menus), [menus]);
  const filter = useAppliedFilter();
  const counted = useDeferredValue<DishFilter | null>(filter, null);
  const count = (narrowed: DishFilter) => items.filter((item) => passesDishFilter(item, narrowed)).length;
  return { counted, count, left: count(counted ?? filter) };
}

interface FilterFootProps {
  canClear: boolean;
  onClear: () => void;
  /** The number of dishes that the menu shows; null: the page is not the menu. */
  left: number | null;
  onClose: () => void;
}

function FilterFoot({ canClear, onClear, left, onClose }: FilterFootProps) {
  return (
    <div className="flex flex-wrap gap-3 border-t border-line p-4 pb-[max(1rem,env(safe-area-inset-bottom))]">
      <button type="button" className="btn btn-quiet min-h-12" disabled={!canClear} onClick={onClear}>
        {m.menu_filter_clear()}
      </button>
      <button type="button" className="btn btn-primary num min-h-12 flex-1" onClick={onClose}>
        {left === null ? m.platform_close() : m.menu_filter_show({ count: left })}
      </button>
    </div>
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
  const filter = useAppliedFilter();
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
  /** Whether it cannot be changed here. */
  isFixed?: boolean;
  detail: string | null;
  /** The id of the text that describes it. */
  describedBy?: string;
  onToggle: (code: string) => void;
}

const Tick = memo(function Tick({ code, words, isOn, isFixed = false, detail, describedBy, onToggle }: TickProps) {
  return (
    <li>
      <label className={`flex min-h-11 items-center gap-x-3 ${detail === null ? '' : 'flex-wrap'}`}>
        <input
          type="checkbox"
          className="size-5 shrink-0 accent-accent-edge"
          checked={isOn}
          disabled={isFixed}
          aria-describedby={describedBy}
          onChange={() => onToggle(code)}
        />
        <span className="grow first-letter:uppercase">{words}</span>
        <span className="num text-sm text-ink-soft">{detail}</span>
      </label>
    </li>
  );
});

function toggleDiet(code: string): void {
  setMenuFilter({ diets: toggle(readMenuFilter().diets, code) });
}

function toggleAllergen(code: string): void {
  setMenuFilter({ allergens: toggle(readMenuFilter().allergens, code) });
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
