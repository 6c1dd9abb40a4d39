import { useEffect, useLayoutEffect, useRef } from 'react';
import { m } from '#messages';
import { openSheet, setSearchText, useMenuFilter } from '#ordering/web/menu/menu-filter.ts';
import { Icon } from '#ui/web/icon.tsx';

export const searchFieldId = 'menu-search';
const foundSectionId = 'category-found';

/** The search for people who know their dish. It needs the script, so without one it does not show. */
export function SearchBar({ onNear }: { onNear: () => void }) {
  const { text, diets, without } = useMenuFilter();
  const field = useRef<HTMLInputElement>(null);
  useSlashKey(field);
  // Input from before the script came, which the first change of the store would overwrite.
  useLayoutEffect(() => {
    if (field.current?.value) setSearchText(field.current.value);
  }, []);
  const count = diets.length + without.length;
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
            // The best match is read next, and a phone puts its keyboard away.
            if (event.key === 'Enter') (document.getElementById(foundSectionId) ?? document.body).focus();
            if (event.key === 'Escape') setSearchText('');
          }}
        />
      </div>
      <button type="button" className="btn btn-quiet" onPointerEnter={onNear} onClick={() => openSheet('filter')}>
        <Icon name="filter" />
        {m.menu_filter()}
        {count > 0 && (
          <span className="num grid size-6 place-items-center rounded-full border border-accent-edge bg-accent text-sm text-accent-ink">
            {count}
          </span>
        )}
      </button>
    </search>
  );
}

/** A phone's keyboard covers nearly half of it: the search goes to the top, so that dishes show between the two. */
function bringUp(search: Element | null): void {
  if (matchMedia('(width < 48rem)').matches) search?.scrollIntoView({ block: 'start', behavior: 'instant' });
}

/** `/` leads to the search from anywhere that it would not be typed. */
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
