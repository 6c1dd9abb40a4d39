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
const atOnce = 24;
const dishesOfPart = 24;
/**
 * The browser lays out a list in the frame in which it scrolls near, so a short list keeps that frame short. It also loads
 * no pictures far below the screen.
 */
const dishesOfList = 4;

/**
 * The parts that this page has rendered, by the id of their first dish. After Back they are rendered at once, so that
 * the menu has the same height as before.
 */
const rendered = new Set<string>();

export interface CategoryChunk {
  items: readonly Item[];
  /** The same dishes, in short lists. */
  lists: readonly (readonly Item[])[];
  isAtOnce: boolean;
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
  // The results of a search are one list, because each letter moves dishes from list to list.
  if (id === foundCategoryId) return [{ items, lists: [items], isAtOnce: true }];
  return cut(items, before === null ? items.length : dishesOfPart).map((part, at) => ({
    items: part,
    lists: cut(part, dishesOfList),
    isAtOnce: before === null || before + at * dishesOfPart + part.length <= atOnce || id === categoryIdInUrl(),
  }));
}

function cut(items: readonly Item[], size: number): (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
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
 * Renders a part's dishes once it is within two screens. Until then the part has about the height of its dishes, and a
 * link for browsers without scripts.
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
  const { items, isAtOnce } = part;
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
  if (!isShown) {
    return (
      <div
        // Without keys React would reuse the element, and remove the link before the cleanup looks for its focus.
        key="folded"
        ref={keepFolded}
        role="listitem"
        className="folded-dishes"
        style={dishCountStyle(items)}
      >
        <a href={`/menu?category=${categoryId}#category-${categoryId}`} className="link">
          {m.menu_dishes_of_category({ count: items.length })}
        </a>
      </div>
    );
  }
  return (
    <div key="dishes" ref={(lists) => void (element.current = lists)} role="none">
      {children}
    </div>
  );
}

/** Tells the style sheet the number of dishes, from which it estimates a height. */
export function dishCountStyle(items: readonly Item[]): CSSProperties {
  return { '--dishes': items.length } as CSSProperties;
}
