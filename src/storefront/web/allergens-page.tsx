import './allergens.css';
import { type MouseEvent, useEffect, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { m } from '#messages';
import {
  AllergenTableLegend,
  AllergenTable,
  type AllergenTableSection,
  allergenTableSections,
} from '#menu/web/allergen-table.tsx';
import { avoidedAllergenAnswers } from '#menu/allergen-conflicts.ts';
import { type DishWithAllergens, everyCategory } from '#menu/dish-allergens.ts';
import { ConflictMarks } from '#menu/web/dish-marks.tsx';
import { categoryIdInUrl } from '#menu/web/url-category.ts';
import { dateWords } from '#platform/date-words.ts';
import { useNow } from '#platform/web/clock.ts';
import { isPlainClick } from '#platform/web/navigation.tsx';
import { Icon } from '#ui/web/icon.tsx';
import { TypedText } from '#ui/web/typed-text.tsx';
import { AllergensButton } from '#ordering/web/menu/allergens-button.tsx';
import { useAvoidedAllergens } from '#ordering/web/menu/avoided-allergens.ts';
import { LazySheets } from '#ordering/web/menu/lazy-sheets.tsx';
import { useShop } from '#shop/web/shop.ts';

/**
 * The maximum number of dishes in a table that is completely open at first. A larger table would make the page slow on
 * a phone, so only one category is open at first.
 */
const allRowsAtFirst = 60;

/** Every dish by the 14 allergens: a table on wide screens and paper, a sentence for each dish on phones. */
export function AllergensPage() {
  const { store, menus } = useShop();
  const now = useNow();
  const sections = useMemo(() => allergenTableSections(menus), [menus]);
  const avoided = useAvoidedAllergens();
  const [open, setOpen] = useState(() => openAtFirst(sections));
  useEffect(() => {
    // All categories are opened for printing, because a closed category cannot be opened on paper.
    const openAll = () => flushSync(() => setOpen(idsOf(sections)));
    addEventListener('beforeprint', openAll);
    return () => removeEventListener('beforeprint', openAll);
  }, [sections]);
  const toggle = (event: MouseEvent, ids: ReadonlySet<string>) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    setOpen(ids);
  };
  const answer = (dish: DishWithAllergens) => <ConflictMarks conflicts={avoidedAllergenAnswers(dish, avoided)} />;
  const hasClosed = sections.some(({ id }) => !open.has(id));
  return (
    <div className="mx-auto grid w-full max-w-page content-start gap-6 px-4 py-10 lg:px-8">
      <h1 className="text-4xl lg:text-5xl">{m.store_allergens_title()}</h1>
      <div className="grid max-w-2xl gap-3 text-ink-soft">
        <p>{m.store_allergens_intro({ name: store.name })}</p>
        <p className="rounded-box bg-warn-soft p-4 font-semibold text-ink">
          {store.phone ? m.store_allergens_advice_phone({ phone: store.phone }) : m.store_allergens_advice()}
        </p>
        {store.allergens_text && (
          <p>
            <TypedText text={store.allergens_text} />
          </p>
        )}
        <p className="only-print">
          {m.store_allergens_printed({ name: store.name, date: dateWords(now, store.timezone) })}
        </p>
      </div>
      <div className="not-print needs-script">
        <AllergensButton look="btn btn-quiet" />
      </div>
      <p className="not-phone flex flex-wrap gap-x-6 gap-y-1 text-sm" aria-hidden="true">
        <AllergenTableLegend />
      </p>
      {hasClosed && (
        <p className="not-print flex flex-wrap gap-x-4">
          {m.store_allergens_choose()}{' '}
          <a
            href={`/allergens?category=${everyCategory}`}
            className="link"
            onClick={(event) => toggle(event, idsOf(sections))}
          >
            {m.store_allergens_all()}
          </a>
        </p>
      )}
      {sections.map(({ id, name, rows }) => {
        const isOpen = open.has(id);
        const title = name ?? m.store_allergens_extras();
        return (
          <section key={id} className="grid gap-2">
            <h2 className="text-2xl">
              <a
                href={`/allergens?category=${id}`}
                aria-expanded={isOpen}
                className="flex min-h-11 items-center gap-3 hover:underline"
                onClick={(event) => toggle(event, isOpen ? without(open, id) : new Set([...open, id]))}
              >
                {title}
                <span className="not-print num shrink-0 text-base font-normal text-ink-soft">{rows.length}</span>
                <Icon name="down" className={`not-print size-5 ${isOpen ? 'rotate-180' : ''}`} />
              </a>
            </h2>
            {isOpen && <AllergenTable label={title} rows={rows} answer={answer} />}
          </section>
        );
      })}
      <LazySheets />
    </div>
  );
}

/**
 * The categories that are open at first. A small menu: all. A large menu: the category in the address (`everyCategory`:
 * all), otherwise the first.
 */
function openAtFirst(sections: readonly AllergenTableSection[]): ReadonlySet<string> {
  const wanted = categoryIdInUrl();
  const isSmall = sections.reduce((sum, { rows }) => sum + rows.length, 0) <= allRowsAtFirst;
  if (isSmall || wanted === everyCategory) return idsOf(sections);
  const named = sections.find(({ id }) => id === wanted) ?? sections[0];
  return new Set(named && [named.id]);
}

function idsOf(sections: readonly AllergenTableSection[]): ReadonlySet<string> {
  return new Set(sections.map(({ id }) => id));
}

function without(open: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return new Set([...open].filter((each) => each !== id));
}
