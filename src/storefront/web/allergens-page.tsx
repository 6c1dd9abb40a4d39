import './allergens.css';
import { m } from '#messages';
import { AllergenKey, AllergenTable, allergenTableSections } from '#menu/web/allergen-table.tsx';
import { dateWords } from '#platform/date-words.ts';
import { useNow } from '#platform/web/clock.ts';
import { TypedText } from '#ui/web/typed-text.tsx';
import { useShop } from '#shop/web/shop.ts';

/** A table of every dish and the 14 allergens on wide screens and paper, a list on phones. */
export function AllergensPage() {
  const { store, menus } = useShop();
  const now = useNow();
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
      <p className="not-phone flex flex-wrap gap-x-6 gap-y-1 text-sm" aria-hidden="true">
        <AllergenKey />
      </p>
      {allergenTableSections(menus).map(({ name, rows }) => (
        <section key={name ?? ''} className="grid gap-2">
          <h2 className="text-2xl">{name ?? m.store_allergens_extras()}</h2>
          <AllergenTable label={name ?? m.store_allergens_extras()} rows={rows} />
        </section>
      ))}
    </div>
  );
}
