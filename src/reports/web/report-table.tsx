import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from '#reports/web/reports.module.css';

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
