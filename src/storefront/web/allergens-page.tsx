import './more.css';
import './allergens.css';
import { m } from '#messages';
import { type AllergenCode, allergenCodes } from '#menu/allergen-codes.ts';
import type { Allergens } from '#menu/contract.ts';
import { allergenName } from '#menu/web/allergen-words.ts';
import { dateWords } from '#platform/date-words.ts';
import { useNow } from '#platform/web/clock.ts';
import { type AllergenRow, listAllergens } from '#storefront/allergen-table.ts';
import { useShop } from '#storefront/web/shop.ts';

/** Every dish against the 14 allergens that UK law names; a table on a wide screen and on paper, a list on a phone. */
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
        <p className="only-print">
          {m.store_allergens_printed({ name: store.name, date: dateWords(now, store.timezone) })}
        </p>
      </div>
      <p className="not-phone flex flex-wrap gap-x-6 gap-y-1 text-sm" aria-hidden="true">
        <span>
          <Mark kind="contains" /> {m.store_allergens_contains()}
        </span>
        <span>
          <Mark kind="may" /> {m.store_allergens_may()}
        </span>
        <span>
          <Mark kind="none" /> {m.store_allergens_none()}
        </span>
      </p>
      {listAllergens(menus).map(({ name, rows }) => (
        <section key={name ?? ''} className="grid gap-2">
          <h2 className="text-2xl">{name ?? m.store_allergens_extras()}</h2>
          <AllergenTable label={name ?? m.store_allergens_extras()} rows={rows} />
        </section>
      ))}
    </div>
  );
}

function AllergenTable({ label, rows }: { label: string; rows: readonly AllergenRow[] }) {
  return (
    <table className="allergens" aria-label={label}>
      <thead>
        <tr>
          <th scope="col">{m.store_allergens_dish()}</th>
          {allergenCodes.map((code) => (
            <th key={code} scope="col">
              <span>{allergenName(code)}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <th scope="row">{row.name}</th>
            {row.allergens ? (
              <Cells allergens={row.allergens} />
            ) : (
              <td colSpan={allergenCodes.length} className="stated">
                {m.store_allergens_not_stated()}
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cells({ allergens }: { allergens: NonNullable<Allergens> }) {
  const kindOf = (code: AllergenCode) => {
    if (allergens.contains.includes(code)) return 'contains';
    return allergens.may_contain.includes(code) ? 'may' : 'none';
  };
  const isFree = allergens.contains.length === 0 && allergens.may_contain.length === 0;
  return (
    <>
      {allergenCodes.map((code, index) => {
        const kind = kindOf(code);
        return (
          <td key={code} className={kind}>
            <Mark kind={kind} />
            <span className="sr-only">{kindWords[kind]()}</span>
            {kind !== 'none' && (
              <span className="only-phone" aria-hidden="true">
                {kind === 'may' ? m.store_allergens_may_short({ name: allergenName(code) }) : allergenName(code)}
              </span>
            )}
            {isFree && index === 0 && <span className="only-phone free">{m.store_allergens_free()}</span>}
          </td>
        );
      })}
    </>
  );
}

const kindWords = {
  contains: m.store_allergens_contains,
  may: m.store_allergens_may,
  none: m.store_allergens_none,
};

/** Shapes that differ without colour. */
function Mark({ kind }: { kind: keyof typeof kindWords }) {
  return (
    <svg viewBox="0 0 16 16" className="mark" aria-hidden="true">
      {kind === 'contains' && <circle cx="8" cy="8" r="6.5" />}
      {kind === 'may' && <path d="M8 1.5a6.5 6.5 0 0 0 0 13Z M8 1.5a6.5 6.5 0 0 1 0 13Z" className="half" />}
      {kind === 'none' && <path d="M5 8h6" className="half" />}
    </svg>
  );
}
