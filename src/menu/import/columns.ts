/** The subject of a row of the file: a dish, or an option of a group. */
export type RowKind = 'item' | 'option';

export interface Column {
  /** Its name in the code. */
  key: string;
  /** The column's heading in the file; fixed by the format, the same in every language. */
  header: string;
  /** Other accepted headings. */
  aliases?: readonly string[];
  of: readonly RowKind[];
}

const both = ['item', 'option'] as const;

/** The columns in the order in which they are written. */
export const columns = [
  { key: 'id', header: 'ID', of: both },
  { key: 'category', header: 'Category', aliases: ['categories', 'section'], of: ['item'] },
  { key: 'group', header: 'Set of choices', aliases: ['optiongroup', 'group'], of: ['option'] },
  { key: 'name', header: 'Name', aliases: ['item', 'dish', 'option', 'title'], of: both },
  { key: 'price', header: 'Price', of: both },
  { key: 'description', header: 'Description', of: ['item'] },
  { key: 'kitchenName', header: 'Kitchen name', of: ['item'] },
  { key: 'groups', header: 'Choices', aliases: ['optiongroups', 'groups', 'options'], of: ['item'] },
  { key: 'pricing', header: 'Price is', aliases: ['pricing'], of: ['option'] },
  { key: 'minSelect', header: 'Choose at least', aliases: ['min'], of: ['option'] },
  { key: 'maxSelect', header: 'Choose at most', aliases: ['max'], of: ['option'] },
  { key: 'freeSelect', header: 'Free choices', aliases: ['free'], of: ['option'] },
  { key: 'maxPerOption', header: 'At most of one', of: ['option'] },
  { key: 'isDefault', header: 'Chosen already', aliases: ['default'], of: ['option'] },
  { key: 'vatRate', header: 'VAT %', aliases: ['vat', 'vatrate', 'tax'], of: both },
  { key: 'contains', header: 'Contains', aliases: ['allergens'], of: both },
  { key: 'mayContain', header: 'May contain', of: both },
  { key: 'allergensStated', header: 'All 14 stated', aliases: ['allergensstated'], of: both },
  { key: 'dietary', header: 'Diet', aliases: ['dietary'], of: ['item'] },
  { key: 'spiceLevel', header: 'Spice', aliases: ['spicelevel'], of: ['item'] },
  { key: 'minAge', header: 'Minimum age', aliases: ['minage'], of: ['item'] },
  { key: 'prepMinutes', header: 'Preparation minutes', aliases: ['prepminutes'], of: ['item'] },
  { key: 'maxPerOrder', header: 'At most per order', aliases: ['maxperorder'], of: ['item'] },
  { key: 'station', header: 'Station', of: ['item'] },
  { key: 'visible', header: 'Visible', aliases: ['active'], of: ['item'] },
  { key: 'soldOut', header: 'Sold out', of: both },
] as const satisfies readonly Column[];

/** A CSV contains both kinds, distinguished by this column; a workbook has a sheet for each. */
export const typeHeader = 'Type';
export const sheetNames = { item: 'Items', option: 'Options', help: 'Help' } as const;

export function columnsOf(kind: RowKind): Column[] {
  const all: readonly Column[] = columns;
  return all.filter((column) => column.of.includes(kind));
}

/** A heading without its case, spaces and signs: `VAT %` and `vat` are equal. */
export function foldHeader(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z]/g, '');
}

/** The column of a kind for a heading; undefined for an unknown one. */
export function findColumn(header: string, kind: RowKind): Column | undefined {
  const wanted = foldHeader(header);
  if (wanted === '') return undefined;
  return columnsOf(kind).find(
    ({ header: own, aliases = [] }) => foldHeader(own) === wanted || aliases.some((alias) => alias === wanted),
  );
}
