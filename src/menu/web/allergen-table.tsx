import '#menu/web/allergen-table.css';
import type { ReactNode } from 'react';
import { m } from '#messages';
import { type AllergenCode, allergenCodes } from '#database/page-values.ts';
import { allergenName, dishAllergenWords } from '#menu/allergen-words.ts';
import { choicesCategory, type DishAllergens, dishAllergens, type DishWithAllergens } from '#menu/dish-allergens.ts';
import type { Menu, Option } from '#menu/menu-shapes.ts';
import { compareNames } from '#platform/compare-names.ts';

interface AllergenTableProps {
  label: string;
  rows: readonly AllergenRow[];
  /** Renders a dish's answer below its name. */
  answer?: (dish: DishWithAllergens) => ReactNode;
}

export function AllergenTable({ label, rows, answer }: AllergenTableProps) {
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
            <th scope="row">
              {row.name}
              {answer?.(row.dish)}
              {row.allergens?.is_partly_unstated && <small>{m.store_allergens_partly_unstated()}</small>}
            </th>
            {row.allergens ? (
              <>
                <Cells allergens={row.allergens} />
                <td className="sentence">{dishAllergenWords(row.allergens)}</td>
              </>
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

function Cells({ allergens }: { allergens: DishAllergens }) {
  return allergenCodes.map((code) => {
    const kinds = kindsOf(code, allergens);
    if (kinds[0] === 'none') {
      return (
        <td key={code} className="none">
          <span className="kind">{kindWords.none()}</span>
        </td>
      );
    }
    return (
      <td key={code}>
        {kinds.map((kind) => (
          <span key={kind} className={kind}>
            <Mark kind={kind} />
            <span className="kind">{kindWords[kind]()} </span>
          </span>
        ))}
      </td>
    );
  });
}

type Kind = 'contains' | 'may' | 'choice' | 'extra' | 'unstated' | 'none';

/**
 * The ways in which a dish contains an allergen. There are two if the dish may contain the allergen in any case, and
 * certainly contains it with some choice.
 */
function kindsOf(code: AllergenCode, dish: DishAllergens): Kind[] {
  if (dish.contains.includes(code)) return ['contains'];
  const kinds: Kind[] = [];
  if (dish.may_contain.includes(code)) kinds.push('may');
  if (dish.by_choice.includes(code)) kinds.push('choice');
  if (dish.by_extras.includes(code)) kinds.push('extra');
  if (kinds.length === 0) kinds.push(dish.is_partly_unstated ? 'unstated' : 'none');
  return kinds;
}

const kindWords: Record<Kind, () => string> = {
  contains: m.store_allergens_contains,
  may: m.store_allergens_may,
  choice: m.store_allergens_choice,
  extra: m.store_allergens_extra,
  unstated: m.store_allergens_unstated,
  none: m.store_allergens_none,
};

export function AllergenTableLegend() {
  return (['contains', 'may', 'choice', 'extra', 'unstated', 'none'] as const).map((kind) => (
    <span key={kind}>
      <Mark kind={kind} /> {kindWords[kind]()}
    </span>
  ));
}

/** The mark of a kind. Its shape alone identifies the kind, without the colour. */
function Mark({ kind }: { kind: Kind }) {
  if (kind === 'none') return <span className="none" />;
  return (
    <svg viewBox="0 0 16 16" className={`mark ${kind}`} aria-hidden="true">
      {shapes[kind]}
    </svg>
  );
}

const shapes: Record<Exclude<Kind, 'none'>, ReactNode> = {
  contains: <circle cx="8" cy="8" r="6.5" />,
  may: <path d="M8 1.5a6.5 6.5 0 0 0 0 13Z M8 1.5a6.5 6.5 0 0 1 0 13Z" className="half" />,
  choice: <path d="M8 1.5 14.5 8 8 14.5 1.5 8Z M8 1.5v13L1.5 8Z" className="diamond" />,
  extra: <path d="M8 3v10M3 8h10" className="half" />,
  unstated: <path d="M5.5 5.5a2.5 2.5 0 1 1 3.6 2.3c-.8.4-1.1.9-1.1 1.9M8 12.2v1.4" className="half" />,
};

interface AllergenRow {
  id: string;
  name: string;
  dish: DishWithAllergens;
  allergens: DishAllergens | null;
}

/** The dishes of a category. The last section has no name: it lists the options of all dishes. */
export interface AllergenTableSection {
  /** The category's id, or `choicesCategory`. */
  id: string;
  name: string | null;
  rows: AllergenRow[];
}

/**
 * Lists every dish once under its first category. Options with equal names and allergens are listed once. Sizes without
 * allergens of their own are left out. So are a deal's choices that stand for a listed dish.
 */
export function allergenTableSections(menus: readonly Menu[]): AllergenTableSection[] {
  const seen = new Set<string>();
  const extras = new Map<string, AllergenRow>();
  const parts: AllergenTableSection[] = [];
  const categories = menus.flatMap((menu) => menu.categories ?? []);
  const listed = new Set(categories.flatMap(({ items = [] }) => items.map(({ id }) => id)));
  for (const category of categories) {
    const rows: AllergenRow[] = [];
    for (const item of category.items ?? []) {
      const { id, name } = item;
      if (seen.has(id)) continue;
      seen.add(id);
      rows.push({ id, name, dish: item, allergens: dishAllergens(item) });
      const options = (item.option_groups ?? []).flatMap((group) =>
        (group.options ?? []).filter(
          (option) => !listed.has(option.item_id ?? '') && (group.pricing !== 'is_price' || !hasNoAllergens(option)),
        ),
      );
      for (const option of options) {
        const key = `${option.name.toLowerCase()} ${JSON.stringify(option.allergens)}`;
        if (extras.has(key)) continue;
        const dish = { allergens: option.allergens };
        extras.set(key, { id: option.id, name: option.name, dish, allergens: dishAllergens(dish) });
      }
    }
    if (rows.length > 0) parts.push({ id: category.id, name: category.name, rows });
  }
  const chosen = [...extras.values()].toSorted((a, b) => compareNames(a.name, b.name));
  return chosen.length > 0 ? [...parts, { id: choicesCategory, name: null, rows: chosen }] : parts;
}

function hasNoAllergens({ allergens }: Pick<Option, 'allergens'>): boolean {
  return allergens !== null && allergens.contains.length + allergens.may_contain.length === 0;
}
