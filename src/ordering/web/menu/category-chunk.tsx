import {
  type CSSProperties,
  type ReactNode,
  startTransition,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { m } from '#messages';
import { categoryIdInUrl } from '#menu/web/url-category.ts';
import type { Item } from '#menu/menu-shapes.ts';
import { foundCategoryId, type VisibleCategory } from '#ordering/web/menu/menu-filter.ts';

/** A menu with at most this many dishes is rendered whole. */
const wholeMenu = 140;
/** The number of dishes that a menu above `wholeMenu` renders at once: more than the first screens show. */
const atOnce = 48;
/**
 * The browser lays out a part in the frame in which it scrolls near, so a small part keeps that frame short. It also loads
 * no pictures far below the screen.
 */
const dishesOfPart = 4;

/**
 * The parts that this page has rendered, by the id of their first dish. After Back they are rendered at once, so that
 * the menu has the same height as before.
 */
const rendered = new Set<string>();

export interface CategoryChunk {
  items: readonly Item[];
  isAtOnce: boolean;
  /** The dishes of the category that are not rendered at once; null unless this part has the link to them. */
  foldedDishes: number | null;
}

/** The number of dishes before each category of a large menu; null if the menu is rendered whole. */
export function countDishesBeforeCategories(categories: readonly VisibleCategory[]): number[] | null {
  let dishes = 0;
  const before = categories.map(({ items }) => (dishes += items.length) - items.length);
  return dishes <= wholeMenu ? null : before;
}

/**
 * Cuts a category into parts that are rendered once they are near. `before`: the number of dishes before the category;
 * null: the menu is rendered whole.
 */
export function splitCategoryIntoChunks({ id, items }: VisibleCategory, before: number | null): CategoryChunk[] {
  // The results of a search are one part, because each letter moves dishes from part to part.
  if (id === foundCategoryId) return [{ items, isAtOnce: true, foldedDishes: null }];
  const isWhole = before === null || id === categoryIdInUrl();
  const firstFolded = isWhole ? Infinity : Math.max(0, Math.ceil((atOnce - before) / dishesOfPart));
  return Array.from({ length: Math.ceil(items.length / dishesOfPart) }, (_, at) => ({
    items: items.slice(at * dishesOfPart, (at + 1) * dishesOfPart),
    isAtOnce: at < firstFolded,
    foldedDishes: at === firstFolded ? items.length - at * dishesOfPart : null,
  }));
}

const unfolders = new WeakMap<Element, () => void>();
let nearObserver: IntersectionObserver | undefined;

/** Calls `unfold` once the element is within two screens. One observer for all parts costs each frame the least. */
function onceNear(element: Element, unfold: () => void): () => void {
  nearObserver ??= new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) unfolders.get(target)?.();
    },
    { rootMargin: '200% 0px' },
  );
  unfolders.set(element, unfold);
  nearObserver.observe(element);
  return () => nearObserver?.unobserve(element);
}

/**
 * Renders a part's dishes once it is within two screens. Until then the part has about the height of its dishes. The
 * first such part of a category has a link to all, for browsers without scripts.
 */
export function CategoryChunkDishes({
  part,
  categoryId,
  children,
}: {
  part: CategoryChunk;
  categoryId: string;
  children: ReactNode;
}) {
  const { items, isAtOnce, foldedDishes } = part;
  const key = items[0]?.id ?? '';
  const [isNear, setNear] = useState(() => rendered.has(key));
  const element = useRef<HTMLDivElement | null>(null);
  const hadFocus = useRef(false);
  const isShown = isAtOnce || isNear;
  useEffect(() => {
    const folded = element.current;
    if (isShown || !folded) return;
    const unfold = () => {
      rendered.add(key);
      startTransition(() => setNear(true));
    };
    // The part with a linked dish is rendered at once, because the dish takes the focus when its sheet closes.
    const linkedId = new URLSearchParams(location.search).get('item');
    if (items.some(({ id }) => id === linkedId)) return unfold();
    return onceNear(folded, unfold);
  }, [isShown, key, items]);
  // If the link had the focus when the dishes replaced it, the first dish takes the focus.
  useLayoutEffect(() => {
    if (isShown && hadFocus.current) element.current?.querySelector('a')?.focus({ preventScroll: true });
  }, [isShown]);
  const keepFolded = (folded: HTMLDivElement) => {
    element.current = folded;
    // React calls this cleanup before it removes the link. The link may have got the focus while the dishes rendered.
    return () => void (hadFocus.current = folded.contains(document.activeElement));
  };
  const height = { '--dishes': items.length } as CSSProperties;
  if (!isShown) {
    return (
      <div
        // Another element than that of the dishes, so that the link is in it at cleanup.
        key="folded"
        ref={keepFolded}
        role={foldedDishes === null ? 'none' : 'listitem'}
        className="folded-dishes"
        style={height}
      >
        {foldedDishes !== null && (
          <a href={`/menu?category=${categoryId}#category-${categoryId}`} className="link">
            {m.menu_dishes_of_category({ count: foldedDishes })}
          </a>
        )}
      </div>
    );
  }
  return (
    <div
      key="dishes"
      ref={(list) => void (element.current = list)}
      // The category is the list, so that its dishes are counted together.
      role="none"
      className="dish-part grid grid-cols-1 gap-3 md:grid-cols-2 lg:grid-cols-1 xl:grid-cols-2"
      style={height}
    >
      {children}
    </div>
  );
}
