import type { DraftDish, ModifierSet } from '#menu/import/draft.ts';
import { foldHeading } from '#menu/import/match-columns.ts';
import { cleanCellText } from '#menu/import/foreign-cells.ts';
import { readPrices } from '#menu/import/read-amounts.ts';
import { foldName } from '#menu/import/read-cell.ts';
import { type FileSheet, isModifierSheet } from '#menu/import/table.ts';

/**
 * Reads each dish's category, by the dish's folded name. Some tills export a sheet in which each column lists the
 * dishes below their category's name.
 */
export function categoriesByDish(sheets: readonly FileSheet[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const { cells } of sheets.filter(({ name }) => /categor/i.test(name))) {
    const [heads = [], ...lines] = cells;
    for (const line of lines)
      for (const [at, text] of line.entries())
        if (at > 0 && text.trim() !== '' && (heads[at] ?? '').trim() !== '')
          found.set(foldName(text), (heads[at] ?? '').trim());
  }
  return found;
}

const modifierColumn = /^\s*"?modifiers?(?: sets?| groups?)?"?\s*[-–:]\s*"?(.+?)"?\s*$/i;

/** Reads the names of a dish's modifier sets: from a list in one column, or from a column of `Y` for each set. */
export function modifierNamesOf(texts: readonly string[], heads: readonly string[]): string[] {
  return heads.flatMap((head, at) => {
    const cell = cleanCellText(texts[at] ?? '');
    const own = modifierColumn.exec(head)?.[1];
    if (own !== undefined) return /^(?:y|yes|true|1|x|✓)$/i.test(cell) ? own : [];
    return /^modifiers?(?: sets?| groups?)?$/.test(foldHeading(head))
      ? cell.split(/[,;|\n]/).flatMap((name) => name.trim() || [])
      : [];
  });
}

/** The modifier sets of the dishes. A set has options only if a sheet lists them and their prices are certain. */
export function modifierSetsOf(
  dishes: readonly DraftDish[],
  sheets: readonly FileSheet[],
  currency: string,
): ModifierSet[] {
  const names = new Map(
    dishes.flatMap(({ modifiers = [] }) => modifiers.map((name) => [foldName(name), name] as const)),
  );
  if (names.size === 0) return [];
  const listed = sheets.filter(isModifierSheet).flatMap((sheet) => readModifierSheet(sheet, currency));
  return [...names].map(
    ([folded, name]) =>
      listed.find((set) => foldName(set.name) === folded) ?? { name, sheet: '', options: [], rules: {} },
  );
}

/** Reads a till's sheet of modifiers, which names a set in the set's first row or in each of its rows. */
function readModifierSheet({ name: sheet, cells }: FileSheet, currency: string): ModifierSet[] {
  const [heads = [], ...lines] = cells;
  const column = (pattern: RegExp) => heads.findIndex((head) => pattern.test(foldHeading(head)));
  const [setAt, nameAt] = [
    column(/^modifier (?:group|set) name$|^(?:modifier )?(?:group|set)$/),
    column(/^modifier(?: name)?$/),
  ];
  const [priceAt, minAt, maxAt] = [column(/^(?:modifier )?price$/), column(/^(?:required|min)/), column(/^max/)];
  if (setAt < 0 || nameAt < 0 || priceAt < 0) return [];
  const sets: (ModifierSet & { isDoubtful?: boolean })[] = [];
  for (const [at, line] of lines.entries()) {
    const [set, name, text] = [setAt, nameAt, priceAt].map((index) => cleanCellText(line[index] ?? ''));
    if (set && set !== sets.at(-1)?.name)
      sets.push({ name: set, sheet, options: [], rules: rulesOf(line[minAt], line[maxAt]) });
    const last = sets.at(-1);
    if (!last || !name) continue;
    const read = text ? readPrices(text, currency) : { price: 0, isDoubtful: false };
    last.isDoubtful ||= read.price === null || (read.isDoubtful && read.price > 0);
    last.options.push({ name, price: read.price, number: at + 2 });
  }
  return sets.flatMap(({ isDoubtful = false, ...set }) => (isDoubtful ? [] : set));
}

function rulesOf(least = '', most = ''): ModifierSet['rules'] {
  const isCount = (text: string) => /^[1-9]\d?$/.test(text.trim());
  const rules = {
    ...(isCount(least) && { minSelect: least.trim() }),
    ...(isCount(most) && { maxSelect: most.trim() }),
  };
  return isCount(least) && isCount(most) && Number(least) > Number(most) ? {} : rules;
}
