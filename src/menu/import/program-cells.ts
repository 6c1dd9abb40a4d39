import { foldHeading } from '#menu/import/match-columns.ts';

/** Cells in which tills and web shops qualify a price. */
export interface PriceNotes {
  salePrice: string;
  /** The type of a price that is not fixed, such as `Per unit`. */
  openPriceType: string;
  isNotFood: boolean;
}

export function priceNotesOf(texts: readonly string[], heads: readonly string[]): PriceNotes {
  const below = (pattern: RegExp) =>
    heads.flatMap((head, at) => (pattern.test(foldHeading(head)) ? (texts[at] ?? '').trim() || [] : []))[0] ?? '';
  const type = below(/^price type$/);
  return {
    salePrice: below(/^(?:online )?sale price$/),
    openPriceType: /^(?:fixed)?$/i.test(type) ? '' : type,
    isNotFood: /^(?:yes|y|true|1)$/i.test(below(/^(?:gift card|non revenue item)$/)),
  };
}

/** Stores whether a product is hidden or sold out. One column may hide a dish that another one publishes. */
export function storeSaleState(
  cells: Partial<Record<string, string>>,
  meaning: 'visible' | 'soldOut',
  head: string,
  cell: string,
): void {
  if (meaning === 'visible') {
    const shown = visibleCell(head, cell);
    if (shown !== '' && cells['visible'] !== 'no') cells['visible'] = shown;
  } else if (foldHeading(head) !== 'in stock') cells['soldOut'] = cell;
  else if (/^(?:0|no|n|false|outofstock)$/i.test(cell)) cells['soldOut'] = 'yes';
}

/** Translates a program's word for visible or hidden dishes; empty for an unknown word. */
function visibleCell(head: string, cell: string): string {
  const word = cell.toLowerCase();
  const isNegated = /hidden|archived/.test(foldHeading(head));
  if (/^(?:yes|y|true|1|active|published|visible|enabled|x|✓)$/.test(word)) return isNegated ? 'no' : 'yes';
  return /^(?:no|n|false|0|-1|draft|archived|hidden|inactive|unavailable|disabled)$/.test(word)
    ? isNegated
      ? 'yes'
      : 'no'
    : '';
}
