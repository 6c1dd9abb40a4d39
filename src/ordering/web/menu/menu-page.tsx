import {
  memo,
  type MouseEvent,
  startTransition,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useState,
} from 'react';
import { m } from '#messages';
import type { AllergenCode } from '#database/page-values.ts';
import { useAppliedFilter, useAvoidedAllergens } from '#ordering/web/menu/avoided-allergens.ts';
import {
  CategoryRail,
  scrollToClickedCategory,
  SearchBar,
  categorySectionId,
} from '#ordering/web/menu/category-rail.tsx';
import { DishPicture } from '#menu/web/dish-picture.tsx';
import { addDishByTap, LazySheets } from '#ordering/web/menu/lazy-sheets.tsx';
import {
  applyMenuFilterFromUrl,
  foundCategoryId,
  isMenuFiltered,
  openSheet,
  visibleCategories,
  type VisibleCategory,
} from '#ordering/web/menu/menu-filter.ts';
import { isDishSoldOut } from '#menu/sold-out.ts';
import { LazyBasketAside, basketAsideId, BasketBar } from '#ordering/web/basket/lazy-basket.tsx';
import { useNow } from '#platform/web/clock.ts';
import { MenuHead } from '#ordering/web/menu/menu-head.tsx';
import { useShop } from '#shop/web/shop.ts';
import { isPlainClick } from '#platform/web/navigation.tsx';
import { avoidedAllergenAnswers } from '#menu/allergen-conflicts.ts';
import type { Item } from '#menu/menu-shapes.ts';
import type { PublicShop } from '#shop/public-shop.ts';
import type { PriceByOffer } from '#ordering/offers/find-discounts.ts';
import { useOfferedPrices } from '#ordering/web/basket/use-offers.ts';
import {
  CategoryChunkDishes,
  countDishesBeforeCategories,
  dishCountStyle,
  splitCategoryIntoChunks,
} from '#ordering/web/menu/category-chunk.tsx';
import { DishPrice } from '#ordering/web/menu/dish-price.tsx';
import { BestSellers } from '#ordering/web/menu/best-sellers.tsx';
import { ConflictMarks, DishMarks } from '#menu/web/dish-marks.tsx';
import { countItemInBasket, useDeferredBasketPart } from '#ordering/web/basket/basket-store.ts';
import type { MenuSearch, FinderStatusProps } from '#ordering/web/menu/finder/finder.tsx';
import { loadCode } from '#ui/web/lazy-part.ts';

export function MenuPage() {
  const { store, menus } = useShop();
  const categories = useMemo(() => visibleCategories(menus), [menus]);
  const avoided = useDeferredValue(useAvoidedAllergens());
  const offered = useOfferedPrices();
  const filter = useDeferredValue(useAppliedFilter());
  const finder = useFinder(categories, isMenuFiltered(filter));
  const { text, diets, without } = filter;
  const sections = useMemo(() => finder.narrow(categories, { diets, without }), [finder, categories, diets, without]);
  const found = useMemo(() => finder.find(sections, text), [finder, sections, text]);
  const shown = useRestedFound(found);
  const before = useMemo(() => countDishesBeforeCategories(sections), [sections]);
  useEffect(applyMenuFilterFromUrl, []);
  return (
    <>
      <SkipLinks first={sections[0]} />
      <div className="mx-auto flex w-full max-w-page flex-wrap items-center justify-between gap-x-6 gap-y-4 px-4 pt-6 pb-4 lg:px-8 lg:pt-8">
        <MenuHead store={store} />
        <SearchBar onNear={finder.prepare} />
      </div>
      <div className="mx-auto w-full max-w-page lg:grid lg:grid-cols-[11.5rem_1fr_20rem] lg:gap-8 lg:px-8 lg:pt-4 xl:grid-cols-[12.5rem_1fr_22rem]">
        <CategoryRail categories={found ? none : sections} />
        {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- one handler for every card: a tap opens the sheet here instead of loading the link */}
        <div
          onClick={(event) => openItem(event, { store, menus })}
          className="grid min-w-0 grid-cols-1 content-start px-4 py-6 lg:px-0 lg:pt-0"
        >
          <FoundStatus finder={finder} filter={filter} sections={found ?? sections} />
          {shown?.map((category) => (
            <CategorySection
              key={category.id}
              category={category}
              before={null}
              avoided={avoided}
              currency={store.currency}
              offered={offered}
              isFirst={false}
            />
          ))}
          {!isMenuFiltered(filter) && <BestSellers categories={categories} avoided={avoided} offered={offered} />}
          {/* The menu remains rendered during a search, so that it reappears at once when the search ends. */}
          <div hidden={found !== null}>
            {sections.map((category, index) => (
              <CategorySection
                key={category.id}
                category={category}
                before={before?.[index] ?? null}
                avoided={avoided}
                currency={store.currency}
                offered={offered}
                isFirst={index === 0}
              />
            ))}
          </div>
          {categories.length === 0 && <p className="py-16 text-center text-lg text-ink-soft">{m.menu_empty()}</p>}
        </div>
        {aside}
      </div>
      {overMenu}
    </>
  );
}

/** These elements are constants, so that typing in the search does not re-render them. */
const aside = <LazyBasketAside />;
const overMenu = (
  <>
    <BasketBar />
    <LazySheets />
  </>
);

const none: VisibleCategory[] = [];
const skip =
  'sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-2 focus:rounded-chip focus:bg-surface focus:p-3';

/**
 * Links with which keyboard users skip the search and the categories: to the dishes, and to the basket beside the menu
 * or in its sheet.
 */
function SkipLinks({ first }: { first: VisibleCategory | undefined }) {
  const toBasket = (event: MouseEvent) => {
    const aside = document.getElementById(basketAsideId);
    event.preventDefault();
    if (aside?.offsetParent) aside.focus();
    else openSheet('basket');
  };
  return (
    <>
      {first && (
        <a
          href={`#${categorySectionId(first.id)}`}
          className={skip}
          onClick={(event) => scrollToClickedCategory(event, first.id)}
        >
          {m.menu_skip()}
        </a>
      )}
      <a href="/menu?basket" className={skip} onClick={toBasket}>
        {m.ordering_basket_skip()}
      </a>
    </>
  );
}

interface CategorySectionProps {
  category: VisibleCategory;
  /** The number of dishes before this category in a large menu; null if all dishes are rendered at once. */
  before: number | null;
  avoided: readonly AllergenCode[];
  currency: string;
  offered: ReadonlyMap<string, PriceByOffer> | undefined;
  isFirst: boolean;
}

const CategorySection = memo(function CategorySection(props: CategorySectionProps) {
  const { category, before, avoided, currency, offered, isFirst } = props;
  const parts = useMemo(() => splitCategoryIntoChunks(category, before), [category, before]);
  const now = useNow();
  return (
    <section
      aria-labelledby={`${category.id}-name`}
      id={categorySectionId(category.id)}
      tabIndex={-1}
      className="scroll-mt-16 pb-10 outline-none lg:scroll-mt-4"
    >
      <CategoryHead category={category} />
      <div role="list">
        {parts.map((part, at) => (
          <CategoryChunkDishes key={part.items[0]?.id ?? at} part={part} categoryId={category.id}>
            {part.lists.map((list, nth) => (
              <div
                key={list[0]?.id ?? nth}
                // The category is the list, so that its dishes are counted together.
                role="none"
                className="dish-list grid grid-cols-1 gap-3 md:grid-cols-2 lg:grid-cols-1 xl:grid-cols-2"
                style={dishCountStyle(list)}
              >
                {list.map((item) => (
                  <div key={item.id} role="listitem" className="relative">
                    <ItemCard
                      item={item}
                      currency={currency}
                      offered={offered?.get(item.id)}
                      isSoldOut={isDishSoldOut(item, now)}
                      isFirst={isFirst && category.items.indexOf(item) < 6}
                      avoided={avoided}
                    />
                    {!item.option_groups?.length && !isDishSoldOut(item, now) && (
                      <button
                        type="button"
                        className="quick-add needs-script"
                        aria-label={m.menu_quick_add({ dish: item.name })}
                      >
                        +
                      </button>
                    )}
                  </div>
                ))}
              </div>
            ))}
          </CategoryChunkDishes>
        ))}
      </div>
    </section>
  );
});

/**
 * A category's name, texts and picture. The picture has the size and place of a dish's picture, so that it neither
 * pushes dishes down nor becomes the largest contentful paint.
 */
function CategoryHead({ category: { id, name, served, description, image } }: { category: VisibleCategory }) {
  const words = (
    <>
      {/* On a phone the heading of the results is hidden: the count above says the same, and the dishes need the space
          above the keyboard. */}
      <h2 id={`${id}-name`} className={`text-2xl lg:text-[1.75rem] ${id === foundCategoryId ? 'max-md:sr-only' : ''}`}>
        {name}
      </h2>
      {served && <p className="num mt-1 text-sm font-semibold text-warn-text">{served}</p>}
      {description && <p className="mt-1 max-w-prose text-ink-soft">{description}</p>}
    </>
  );
  if (!image) return words;
  return (
    <div className="dish flex gap-4">
      <div className="min-w-0 flex-1">{words}</div>
      <span className="shrink-0">
        <DishPicture
          src={image}
          sizes="(min-width: 40rem) 9rem, 7rem"
          className="h-21 w-28 rounded-chip sm:h-27 sm:w-36"
        />
      </span>
    </div>
  );
}

/**
 * Opens the sheet of a tapped card. A tap on the card's own button adds the dish instead, with code that is loaded
 * together with the sheets.
 */
function openItem(event: MouseEvent, shop: PublicShop): void {
  if (!isPlainClick(event) || !(event.target instanceof Element)) return;
  const button = event.target.closest('.quick-add');
  const sheet = button
    ? button.parentElement?.querySelector('a')?.search
    : event.target.closest<HTMLAnchorElement>('a[href^="/menu?item="]')?.search;
  if (!sheet) return;
  event.preventDefault();
  const open = () => openSheet(sheet.slice(1));
  if (!button) return open();
  void addDishByTap({ ...shop, itemId: sheet.slice('?item='.length), open });
}

interface ItemCardProps {
  item: Item;
  currency: string;
  offered: PriceByOffer | undefined;
  isSoldOut: boolean;
  isFirst: boolean;
  avoided: readonly AllergenCode[];
}

/**
 * One dish of the menu. The whole card is a link, so that it can be opened in a new tab, and works without JavaScript.
 */
const ItemCard = memo(function ItemCard({ item, currency, offered, isSoldOut, isFirst, avoided }: ItemCardProps) {
  return (
    <a
      href={`/menu?item=${item.id}`}
      className="dish flex h-full gap-4 rounded-box border border-line bg-surface p-3 hover:border-accent-text active:border-accent-text active:bg-sunken"
    >
      <span className="flex min-w-0 flex-1 flex-col gap-1">
        <span className="display text-[1.0625rem]">{item.name}</span>
        <span className="line-clamp-2 text-sm text-ink-soft">{item.description}</span>
        <ConflictMarks conflicts={avoidedAllergenAnswers(item, avoided)} />
        <span className="mt-auto flex flex-wrap items-center gap-x-3 gap-y-1 pt-1">
          <span className="num font-semibold">
            <DishPrice item={item} currency={currency} offered={offered} />
          </span>
          <DishMarks item={item} isShort />
        </span>
      </span>
      <span className="relative shrink-0 self-start">
        <DishPicture
          src={item.image}
          isFirst={isFirst}
          place="list"
          sizes="(min-width: 40rem) 9rem, 7rem"
          className={`h-21 w-28 rounded-chip sm:h-27 sm:w-36 ${isSoldOut ? 'opacity-60 grayscale' : ''}`}
        />
        {isSoldOut && (
          <span className="chip absolute inset-x-1.5 bottom-1.5 justify-center bg-ink text-paper">
            {m.menu_sold_out()}
          </span>
        )}
        <InBasket itemId={item.id} />
      </span>
    </a>
  );
});

/** How many of a dish are in the basket, as a component of its own, so that adding a dish re-renders nothing else. */
function InBasket({ itemId }: { itemId: string }) {
  const count = useDeferredBasketPart((held) => countItemInBasket(held, itemId));
  if (count === 0) return null;
  return (
    <span className="num absolute -top-2 -right-2 grid h-7 min-w-7 place-items-center rounded-full border border-accent-edge bg-accent px-1.5 text-sm font-bold text-accent-ink">
      <span className="sr-only">{m.menu_in_basket()} </span>
      {count}
    </span>
  );
}

type Ready = Pick<MenuSearch, 'narrow' | 'find' | 'Status'> & { of: unknown };

const load = () => import('#ordering/web/menu/finder/finder.tsx');

/** The search and the filter. Their code is loaded once somebody looks for a dish. */
function useFinder(categories: readonly VisibleCategory[], isWanted: boolean): MenuSearch {
  const [ready, setReady] = useState<Ready | null>(null);
  const [hasFailed, setFailed] = useState(false);
  const prepare = useCallback(() => {
    afterFrame()
      .then(() => loadCode(load))
      .then(async ({ FoundDishesStatus, prepareMenuSearch }) => {
        setReady({ ...(await prepareMenuSearch(categories)), Status: FoundDishesStatus, of: categories });
        setFailed(false);
      })
      .catch(() => setFailed(true));
  }, [categories]);
  const isStale = ready !== null && ready.of !== categories;
  useEffect(() => {
    if (isWanted || isStale) prepare();
  }, [isWanted, isStale, prepare]);
  return useMemo(() => ({ ...(ready ?? notReady), prepare, hasFailed }), [ready, prepare, hasFailed]);
}

/**
 * The number of results while somebody types: more than a phone shows above its keyboard, and few enough to render at
 * each letter.
 */
const fewFound = 4;
const restMs = 300;

/** The search's results. While somebody types only the first few are shown; the others follow when typing stops. */
function useRestedFound(found: VisibleCategory[] | null): VisibleCategory[] | null {
  const [rested, setRested] = useState(found);
  useEffect(() => {
    const timer = setTimeout(() => startTransition(() => setRested(found)), restMs);
    return () => clearTimeout(timer);
  }, [found]);
  return useMemo(() => {
    if (!found || found === rested) return found;
    return found.map((category) => ({ ...category, items: category.items.slice(0, fewFound) }));
  }, [found, rested]);
}

/**
 * Waits until the next frame is drawn, so that the field has its cursor before the search is prepared, which takes long
 * on some phones.
 */
function afterFrame(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
}

/** Shows and announces how many dishes match, once the search is loaded. If loading failed, it offers a retry. */
function FoundStatus({ finder, ...found }: FinderStatusProps & { finder: MenuSearch }) {
  if (finder.Status) return <finder.Status {...found} />;
  return (
    <div role="status">
      {finder.hasFailed && (
        <p className="pb-4">
          {m.menu_search_failed()}{' '}
          <button type="button" className="link min-h-11" onClick={finder.prepare}>
            {m.platform_retry()}
          </button>
        </p>
      )}
    </div>
  );
}

const notReady: Omit<Ready, 'of'> = { narrow: (categories) => categories, find: () => null, Status: null };
