import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from '#reports/web/reports.module.css';
import { m } from '#messages';
import { formatMoney } from '#platform/money.ts';
import type { SalesReport } from '#reports/contract.ts';
import { changeWords, countWords } from '#reports/web/report-words.ts';

interface TableProps {
  title: string;
  /** As wide as two tables, where they stand side by side. */
  isWide?: boolean;
  hint?: ReactNode;
  /** The first names the row, the others are figures. */
  head: readonly string[];
  rows: readonly { key: string; cells: readonly string[] }[];
  /** Sums, below a line. */
  foot?: readonly string[];
  /** The text without rows. */
  empty: string;
}

/** Figures of a report under their heading. */
export function ReportTable({ title, isWide = false, hint, head, rows, foot, empty }: TableProps) {
  return (
    <section className={isWide ? `${classes.section} ${classes.wide}` : classes.section}>
      <h2>{title}</h2>
      {hint && <p className={classes.hint}>{hint}</p>}
      {rows.length === 0 ? <p className={classes.hint}>{empty}</p> : <Figures {...{ title, head, rows, foot }} />}
    </section>
  );
}

/** The table alone; it scrolls by itself where a phone is too narrow. */
export function Figures({
  title,
  head,
  rows,
  foot,
}: Pick<TableProps, 'title' | 'head' | 'rows'> & { foot?: readonly string[] | undefined }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scroller must be reached by key
    <div className={classes.scroller} role="region" aria-label={title} tabIndex={0}>
      <Table className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            {head.map((name) => (
              <Table.Th key={name} scope="col">
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ key, cells: [name, ...figures] }) => (
            <Table.Tr key={key}>
              <Table.Th scope="row">{name}</Table.Th>
              {figures.map((figure, index) => (
                <Table.Td key={head[index + 1]}>{figure}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
        {foot && (
          <Table.Tfoot>
            <Table.Tr>
              {foot.map((figure, index) =>
                index === 0 ? (
                  <Table.Th key="name" scope="row">
                    {figure}
                  </Table.Th>
                ) : (
                  <Table.Td key={head[index]}>{figure}</Table.Td>
                ),
              )}
            </Table.Tr>
          </Table.Tfoot>
        )}
      </Table>
    </div>
  );
}

interface FiguresProps {
  report: SalesReport;
  /** The range to compare with, once it is known. */
  before?: SalesReport | undefined;
}

/** Characters that fit into a figure's card in large letters. */
const longest = 10;

/** The range in a few large figures. */
export function KeyFigures({ report, before }: FiguresProps) {
  const say = (amount: number) => formatMoney(amount, report.currency);
  const figures: [
    name: string,
    of: (report: SalesReport) => number | null,
    show: (value: number) => string,
    hint?: string,
  ][] = [
    [m.reports_gross(), ({ totals }) => totals.gross, say, m.reports_gross_hint()],
    [m.reports_orders(), ({ totals }) => totals.orders, countWords],
    [m.reports_average(), ({ totals }) => totals.average, say],
    [m.reports_refunded(), ({ totals }) => totals.refunded, say, m.reports_refunded_hint()],
    [m.reports_kept(), ({ totals }) => totals.gross - totals.refunded, say],
    [m.reports_vat_due(), ({ vat }) => vat.reduce((sum, row) => sum + row.vat - row.refunded_vat, 0), say],
  ];
  return (
    <dl className={classes.figures}>
      {figures.map(([name, of, show, hint]) => {
        const [now, then] = [of(report), before ? of(before) : null];
        const shown = now === null ? '–' : show(now);
        return (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <strong data-long={shown.length > longest || undefined}>{shown}</strong>
              {then !== null && (
                <small>{m.reports_before({ value: show(then), change: changeWords(now ?? 0, then) ?? '–' })}</small>
              )}
              {hint && <small>{hint}</small>}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
