import { Badge } from '@mantine/core';
import { m } from '#messages';
import type { PlannedRow } from '#menu/import/plan-draft.ts';
import { cellToText, formatMoneyCell, saleStateWords } from '#menu/import/read-cell.ts';
import { priceHeader } from '#menu/import/table.ts';
import classes from '#menu/web/import/import.module.css';
import { shorten } from '#platform/graphemes.ts';
import type { ListColumn } from '#ui/web/office/data-list.tsx';

export type OutcomeFilter = PlannedRow['outcome'] | 'all';

export const outcomeWords: Record<OutcomeFilter, () => string> = {
  all: m.menu_import_all,
  refused: m.menu_import_refused,
  new: m.menu_import_new,
  changed: m.menu_import_changed,
  same: m.menu_import_same,
};
const outcomeColours = { refused: 'bad', new: 'good', changed: 'warm', same: 'accent' } as const;

export const plannedRowColumns = (currency: string): ListColumn<PlannedRow>[] => [
  {
    key: 'name',
    label: m.menu_import_column_name(),
    cell: ({ name, kind }) => `${name || '–'}${kind === 'option' ? ` (${m.menu_import_option()})` : ''}`,
  },
  {
    key: 'row',
    label: m.menu_import_column_row(),
    cell: ({ sheet, number }) => (sheet ? `${sheet}, ${number}` : number),
  },
  {
    key: 'outcome',
    label: m.menu_import_column_outcome(),
    cell: ({ outcome }) => (
      <Badge color={outcomeColours[outcome]} variant="light">
        {outcomeWords[outcome]()}
      </Badge>
    ),
  },
  { key: 'details', label: m.menu_import_column_details(), cell: (row) => <Details row={row} currency={currency} /> },
];

function Details({ row: { problems, differences, cells }, currency }: { row: PlannedRow; currency: string }) {
  if (cells) {
    const { category, group, price, sizes, description = '' } = cells;
    const parts = [category, group, sizes ?? formatMoneyCell(price, currency), description].map((text = '') =>
      cellToText(text),
    );
    return [saleStateWords(cells), ...parts.map((text) => shorten(text, 80))].filter(Boolean).join(' · ');
  }
  if (problems.length > 0) {
    return (
      <ul className={classes.details}>
        {problems.map(({ column, words }) => (
          <li key={column + words}>
            {column && <strong>{column}: </strong>}
            {words}
          </li>
        ))}
      </ul>
    );
  }
  return (
    <ul className={classes.details}>
      {differences.map(({ column, before, after }) => (
        <li key={column}>
          <strong>{column}: </strong>
          <del>{shownCell(column, before, currency)}</del> <span aria-hidden="true">→</span>{' '}
          <ins>{shownCell(column, after, currency)}</ins>
        </li>
      ))}
    </ul>
  );
}

/** A changed cell as a reader expects it: prices with their currency, texts without HTML. */
function shownCell(column: string, cell: string, currency: string): string {
  return column === priceHeader ? formatMoneyCell(cell, currency) : cellToText(cell);
}
