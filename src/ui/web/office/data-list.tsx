import { Button, Checkbox, Pagination, Table, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { m } from '#messages';
import { type ListView, nextSortOrder } from '#ui/list-view.ts';
import classes from '#ui/web/office/data-list.module.css';
import { Icon } from '#ui/web/office/office-icon.tsx';
import { SearchedDaysHint, SelectionBar } from '#ui/web/office/list-filters.tsx';
import { EmptyState, OfficeLoadFailure, LoadingState } from '#ui/web/office/states.tsx';

export interface ListColumn<T> {
  key: string;
  label: string;
  cell: (row: T) => ReactNode;
  isSortable?: boolean;
  /** Whether the cells are numbers or money, which are right-aligned. */
  isNumeric?: boolean;
  /** Whether the cells are short texts that must not wrap, e.g. times. */
  isWhole?: boolean;
  /** Whether a phone shows the cell at the end of the title's line. */
  isBesideTitle?: boolean;
  /** Whether a phone hides the cell, because the opened row shows its value. */
  isForWide?: boolean;
  /** Whether a row has the column's usual value, for example "active". A phone hides the cell of such a row. */
  isUsual?: (row: T) => boolean;
}

export interface RowSelection {
  ids: ReadonlySet<string>;
  onChange: (ids: ReadonlySet<string>) => void;
  actions: ReactNode;
}

interface ListProps<T> {
  /** The list's label for assistive technology, e.g. "Items". */
  label: string;
  columns: readonly ListColumn<T>[];
  /** The rows of this page; undefined while they load. */
  rows: readonly T[] | undefined;
  rowId: (row: T) => string;
  /** A row's short name, which labels its checkbox. */
  rowName: (row: T) => string;
  view: ListView;
  onView: (part: Partial<ListView>) => void;
  total: number;
  /** Whether `total` is exact; false: there may be more. */
  isCounted?: boolean;
  pages: number;
  /** The number of recent days that the search covered; null: all days. */
  searchedDays?: number | null;
  error?: unknown;
  onRetry?: () => void;
  filters?: ReactNode;
  selection?: RowSelection;
  /** The buttons at a row's end. On a phone, icon buttons are beside the row's name, and buttons with text below it. */
  rowActions?: (row: T) => ReactNode;
  hasWordyActions?: boolean;
  onOpen?: (row: T) => void;
  /** The content of a list that has no rows at all, without any search or filter. */
  empty: ReactNode;
  hasSearch?: boolean;
}

/** A list with search, sorting, pages and selection. On a phone each row has two lines, without headings. */
export function DataList<T>(props: ListProps<T>) {
  const { view, onView, rows, pages, error, onRetry, selection } = props;
  const isNarrowed = view.search !== '' || Object.keys(view.filters).length > 0;
  return (
    <section aria-label={props.label}>
      <Tools {...props} />
      {error !== undefined && error !== null && !rows ? (
        <OfficeLoadFailure error={error} onRetry={() => onRetry?.()} />
      ) : !rows ? (
        <LoadingState />
      ) : rows.length > 0 ? (
        <Rows {...props} rows={rows} />
      ) : isNarrowed ? (
        <EmptyState title={m.office_list_no_match()}>
          <Button variant="default" onClick={() => onView({ search: '', filters: {} })}>
            {m.office_list_show_all()}
          </Button>
        </EmptyState>
      ) : (
        props.empty
      )}
      <ListPages page={view.page} pages={pages} onPage={(page) => onView({ page })} />
      {selection && (
        <SelectionBar count={selection.ids.size} onClear={() => selection.onChange(new Set())}>
          {selection.actions}
        </SelectionBar>
      )}
    </section>
  );
}

function Tools<T>({ view, onView, filters, rows, hasSearch = true, ...counted }: ListProps<T>) {
  // On a phone the filters are folded; on wider screens they are always shown.
  const [areFiltersShown, setFiltersShown] = useState(false);
  const active = Object.keys(view.filters).length;
  return (
    <div className={classes.tools}>
      {hasSearch && (
        <TextInput
          type="search"
          className={classes.search}
          label={m.office_list_search()}
          placeholder={m.office_list_search()}
          value={view.search}
          onChange={(event) => onView({ search: event.currentTarget.value })}
        />
      )}
      {filters && (
        <Button
          variant="default"
          className={classes.filtersButton}
          leftSection={<Icon name="filter" />}
          aria-expanded={areFiltersShown}
          onClick={() => setFiltersShown(!areFiltersShown)}
        >
          {active === 0 ? m.office_list_filters() : m.office_list_filters_active({ count: active })}
        </Button>
      )}
      {filters && (
        <div className={classes.filters} data-shown={areFiltersShown || undefined}>
          {filters}
        </div>
      )}
      {rows && <ListCount total={counted.total} isCounted={counted.isCounted} searchedDays={counted.searchedDays} />}
    </div>
  );
}

function Rows<T>(props: RowsProps<T>) {
  const { rows, rowId, selection } = props;
  const onPage = rows.map(rowId);
  const chosen = onPage.filter((id) => selection?.ids.has(id)).length;
  const select = (ids: readonly string[], isOn: boolean): void => {
    const next = new Set(selection?.ids);
    for (const id of ids) {
      if (isOn) next.add(id);
      else next.delete(id);
    }
    selection?.onChange(next);
  };
  // The roles are explicit, because some browsers drop them when CSS turns a table into cards.
  return (
    <Table
      className={classes.table}
      role="table"
      verticalSpacing={0}
      highlightOnHover
      data-compact={props.onOpen ? true : undefined}
    >
      <Head list={props} chosen={chosen} onSelectPage={(isOn) => select(onPage, isOn)} />
      <Table.Tbody role="rowgroup">
        {rows.map((row) => (
          <Row key={rowId(row)} list={props} row={row} onSelect={(isOn) => select([rowId(row)], isOn)} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

type RowsProps<T> = ListProps<T> & { rows: readonly T[] };

interface HeadProps<T> {
  list: RowsProps<T>;
  chosen: number;
  onSelectPage: (isOn: boolean) => void;
}

function Head<T>({ list, chosen, onSelectPage }: HeadProps<T>) {
  const { columns, rows, view, onView, selection, rowActions } = list;
  return (
    <Table.Thead role="rowgroup" className={classes.head}>
      <Table.Tr role="row">
        {selection && (
          <Table.Th role="columnheader" className={classes.mark}>
            <Checkbox
              aria-label={m.office_list_select_page()}
              checked={chosen === rows.length}
              indeterminate={chosen > 0 && chosen < rows.length}
              onChange={(event) => onSelectPage(event.currentTarget.checked)}
            />
          </Table.Th>
        )}
        {columns.map((column) => (
          <Table.Th
            key={column.key}
            role="columnheader"
            data-numeric={column.isNumeric || undefined}
            aria-sort={sortOf(view.sort, column.key)}
          >
            {column.isSortable ? (
              <button
                type="button"
                className={classes.sort}
                onClick={() => onView({ sort: nextSortOrder(view.sort, column.key) })}
              >
                {column.label}
                <span className={classes.arrow} data-sort={sortOf(view.sort, column.key)}>
                  <Icon name="down" size="1em" />
                </span>
              </button>
            ) : (
              column.label
            )}
          </Table.Th>
        ))}
        {rowActions && (
          <Table.Th role="columnheader">
            <span className="visually-hidden">{m.office_list_actions()}</span>
          </Table.Th>
        )}
      </Table.Tr>
    </Table.Thead>
  );
}

interface RowProps<T> {
  list: RowsProps<T>;
  row: T;
  onSelect: (isOn: boolean) => void;
}

function Row<T>({ list, row, onSelect }: RowProps<T>) {
  const { columns, rowId, rowName, selection, rowActions, hasWordyActions, onOpen } = list;
  const id = rowId(row);
  return (
    <Table.Tr role="row" data-selected={selection?.ids.has(id) || undefined}>
      {selection && (
        <Table.Td role="cell" className={classes.mark}>
          <Checkbox
            aria-label={m.office_list_select({ name: rowName(row) })}
            checked={selection.ids.has(id)}
            onChange={(event) => onSelect(event.currentTarget.checked)}
          />
        </Table.Td>
      )}
      {columns.map((column, index) => (
        <Table.Td
          key={column.key}
          role="cell"
          data-label={column.label}
          data-title={index === 0 || undefined}
          data-numeric={column.isNumeric || undefined}
          data-whole={column.isWhole || undefined}
          data-beside={column.isBesideTitle || undefined}
          data-usual={column.isForWide || column.isUsual?.(row) || undefined}
        >
          {index === 0 && onOpen ? (
            <button type="button" className={classes.open} onClick={() => onOpen(row)}>
              {column.cell(row)}
            </button>
          ) : (
            column.cell(row)
          )}
        </Table.Td>
      ))}
      {rowActions && (
        <Table.Td role="cell" className={classes.actions} data-wordy={hasWordyActions || undefined}>
          {rowActions(row)}
        </Table.Td>
      )}
    </Table.Tr>
  );
}

function sortOf(sort: string, key: string): 'ascending' | 'descending' | undefined {
  if (sort === key) return 'ascending';
  return sort === `-${key}` ? 'descending' : undefined;
}

interface CountProps {
  total: number;
  isCounted?: boolean | undefined;
  searchedDays?: number | null | undefined;
}

/** Shows the number of rows, and, if the search was limited to recent days, the number of days. */
function ListCount({ total, isCounted = true, searchedDays = null }: CountProps) {
  const words = isCounted
    ? m.office_list_count({ count: total })
    : m.office_list_count_more({ count: total.toLocaleString('en-GB') });
  return (
    <div className={classes.count}>
      <output>{words}</output>
      <SearchedDaysHint days={searchedDays} />
    </div>
  );
}

function ListPages({ page, pages, onPage }: { page: number; pages: number; onPage: (page: number) => void }) {
  if (pages <= 1) return null;
  return (
    <nav aria-label={m.office_list_pages()} className={classes.pages}>
      <Pagination
        total={pages}
        value={page}
        onChange={onPage}
        getItemProps={(each) => ({ 'aria-label': m.office_list_page({ page: each }) })}
        getControlProps={(control) => ({
          'aria-label': control === 'next' ? m.office_list_next() : m.office_list_previous(),
        })}
      />
    </nav>
  );
}
