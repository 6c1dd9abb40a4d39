import { memo, type MouseEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { m } from '#messages';
import type { Category } from '#menu/menu-shapes.ts';
import { Icon } from '#ui/web/icon.tsx';
import { isPlainClick } from '#platform/web/navigation.tsx';
import { openSheet, setSearchText, useMenuFilter } from '#ordering/web/menu/menu-filter.ts';

type NamedCategory = Pick<Category, 'id' | 'name'>;

export function categorySectionId(categoryId: string): string {
  return `category-${categoryId}`;
}

/**
 * The navigation of the menu. It highlights the category that is being read, and scrolls that category's link into
 * view.
 */
export const CategoryRail = memo(function CategoryRail({ categories }: { categories: readonly NamedCategory[] }) {
  const current = useSectionInView(categories);
  const list = useRef<HTMLUListElement>(null);

  useEffect(() => {
    const rail = list.current;
    const mark = rail?.querySelector<HTMLElement>(`[href="#${categorySectionId(current ?? '')}"]`);
    if (!rail || !mark) return;
    rail.scrollTo({ left: mark.offsetLeft - rail.clientWidth / 2 + mark.clientWidth / 2, behavior: 'smooth' });
  }, [current]);

  if (categories.length === 0) return <div />;
  return (
    <nav
      aria-label={m.menu_categories()}
      className="rail sticky top-0 z-20 flex border-b border-line bg-paper lg:top-4 lg:z-0 lg:block lg:self-start lg:border-0 lg:bg-transparent"
    >
      <button
        type="button"
        className={`rail-search ${railButton}`}
        aria-label={m.menu_search_jump()}
        onClick={() => document.getElementById(searchFieldId)?.focus()}
      >
        <Icon name="search" />
      </button>
      <ul
        ref={list}
        className="relative mx-auto flex min-w-0 flex-1 max-w-page [scrollbar-width:none] gap-1 overflow-x-auto py-1.5 pr-3 lg:max-h-[calc(100dvh-2rem)] lg:flex-col lg:overflow-y-auto lg:p-0"
      >
        {categories.map(({ id, name }) => (
          <li key={id}>
            <a
              href={`#${categorySectionId(id)}`}
              onClick={(event) => scrollToClickedCategory(event, id)}
              aria-current={id === current ? 'true' : undefined}
              className="flex min-h-11 items-center rounded-full px-4 font-semibold leading-tight whitespace-nowrap text-ink-soft hover:bg-sunken hover:text-ink aria-[current]:bg-ink aria-[current]:text-paper aria-[current]:forced-color-adjust-none lg:rounded-box lg:px-3.5 lg:py-2 lg:whitespace-normal"
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
      <button
        type="button"
        className={`rail-all ${railButton}`}
        aria-label={m.menu_all_categories()}
        aria-haspopup="dialog"
        onClick={() => openSheet('categories')}
      >
        <Icon name="pages" />
      </button>
    </nav>
  );
});

const railButton = 'grid size-11 shrink-0 place-items-center self-center text-ink-soft needs-script lg:hidden';

export function scrollToClickedCategory(event: MouseEvent, categoryId: string): void {
  if (!isPlainClick(event)) return;
  event.preventDefault();
  scrollToCategory(categoryId);
}

/** Scrolls to a category without a history entry, so that Back leaves the menu. */
export function scrollToCategory(categoryId: string): void {
  const section = document.getElementById(categorySectionId(categoryId));
  if (!section) return;
  history.replaceState(history.state, '', `#${section.id}`);
  holdAtTop(section);
  section.focus({ preventScroll: true });
}

const holdMs = 2000;
const scrollEvents = ['wheel', 'touchmove', 'pointerdown', 'keydown'];
let endHold = () => {};

/**
 * Scrolls a section to the top, and holds it there for two seconds, or until the visitor scrolls. In that time the
 * dishes around it are rendered, which moves the section.
 */
function holdAtTop(section: HTMLElement): void {
  endHold();
  section.scrollIntoView();
  const hold = new ResizeObserver(() => section.scrollIntoView());
  if (section.parentElement) hold.observe(section.parentElement);
  const timer = setTimeout(() => endHold(), holdMs);
  endHold = () => {
    hold.disconnect();
    clearTimeout(timer);
    for (const name of scrollEvents) removeEventListener(name, endHold);
  };
  for (const name of scrollEvents) addEventListener(name, endHold, { passive: true });
}

/** Returns the id of the last category that reached the reading line, about a third down the screen. */
function useSectionInView(categories: readonly NamedCategory[]): string | undefined {
  const [current, setCurrent] = useState(categories[0]?.id);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { isIntersecting, target } of entries) {
          if (isIntersecting) setCurrent(target.id.replace('category-', ''));
        }
      },
      { rootMargin: '-30% 0px -69% 0px' },
    );
    for (const { id } of categories) {
      const section = document.getElementById(categorySectionId(id));
      if (section) observer.observe(section);
    }
    return () => observer.disconnect();
  }, [categories]);
  return current;
}

const searchFieldId = 'menu-search';
const foundSectionId = 'category-found';

export function SearchBar({ onNear }: { onNear: () => void }) {
  const { text, diets } = useMenuFilter();
  const field = useRef<HTMLInputElement>(null);
  useSlashKey(field);
  // A text that was typed before the script loaded is stored first; otherwise the filter's first change would clear the
  // field.
  useLayoutEffect(() => {
    if (field.current?.value) setSearchText(field.current.value);
  }, []);
  return (
    <search className="flex w-full scroll-mt-2 flex-wrap gap-2 needs-script md:max-w-md">
      <div className="relative flex-[1_1_8rem]">
        <Icon name="search" className="pointer-events-none absolute top-3.5 left-4 size-5 text-ink-soft" />
        <input
          ref={field}
          id={searchFieldId}
          type="search"
          className="control rounded-full pl-11"
          aria-label={m.menu_search()}
          aria-keyshortcuts="/"
          placeholder={m.menu_search_short()}
          enterKeyHint="search"
          autoComplete="off"
          spellCheck={false}
          maxLength={60}
          value={text}
          onFocus={onNear}
          onChange={(event) => {
            setSearchText(event.target.value);
            if (text === '') bringUp(event.target.closest('search'));
          }}
          onKeyDown={(event) => {
            // Enter focuses the results: a screen reader then reads the best match, and a phone hides its keyboard.
            if (event.key === 'Enter') (document.getElementById(foundSectionId) ?? document.body).focus();
            if (event.key === 'Escape') setSearchText('');
          }}
        />
      </div>
      <button type="button" className="btn btn-quiet" onPointerEnter={onNear} onClick={() => openSheet('filter')}>
        <Icon name="leaf" />
        {m.menu_filter_diet()}
        {diets.length > 0 && (
          <span className="num grid size-6 place-items-center rounded-full border border-accent-edge bg-accent text-sm text-accent-ink">
            {diets.length}
          </span>
        )}
      </button>
    </search>
  );
}

/** On a phone, scrolls the search to the top, so that dishes are visible between the search and the keyboard. */
function bringUp(search: Element | null): void {
  if (matchMedia('(width < 48rem)').matches) search?.scrollIntoView({ block: 'start', behavior: 'instant' });
}

function useSlashKey(field: { current: HTMLInputElement | null }): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select, dialog');
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
      event.preventDefault();
      field.current?.focus();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [field]);
}
