import { lazy, type ReactNode, Suspense } from 'react';
import { m } from '#messages';
import { orderStatusTable } from '#ordering/order-status.ts';
import { rejectReasonWords, boardStatusWords } from '#kitchen/web/board-words.ts';
import { EmptyState } from '#ui/web/office/states.tsx';
import { givenReasonWords } from '#ordering/history-words.ts';
import { paymentMethodWords } from '#payment/web/payment-words.ts';
import { formatMoney } from '#platform/money.ts';
import type { CardSums, SalesReport } from '#reports/contract.ts';
import {
  percentChangeWords,
  channelWords,
  formatCount,
  fulfilmentWords,
  hourWords,
  vatRateWords,
  shortDayWords,
} from '#reports/web/report-words.ts';
import classes from '#reports/web/reports.module.css';
import { Table } from '@mantine/core';

const SalesChart = lazy(async () => ({ default: (await import('#reports/web/sales-chart.tsx')).SalesChart }));

interface ViewProps {
  report: SalesReport;
  before?: SalesReport | undefined;
}

export function ReportView({ report, before }: ViewProps) {
  const say = (amount: number) => formatMoney(amount, report.currency);
  const { totals, lost, unpaid, failed, test } = report;
  const isNothing =
    totals.orders === 0 &&
    totals.refunds === 0 &&
    lost.length === 0 &&
    unpaid.orders + failed.orders + test.orders === 0;
  if (isNothing) return <EmptyState title={m.reports_empty()}>{m.reports_empty_hint()}</EmptyState>;
  return (
    <div className={classes.report}>
      <KeyFigures report={report} before={before} />
      {unpaid.orders > 0 && <p>{m.reports_unpaid({ count: unpaid.orders, amount: say(unpaid.total) })}</p>}
      {failed.orders > 0 && (
        <p className={classes.bad}>{m.reports_failed({ count: failed.orders, amount: say(failed.total) })}</p>
      )}
      {test.orders > 0 && <p>{m.reports_test({ count: test.orders, amount: say(test.total) })}</p>}
      {report.fee_unknown.orders > 0 && (
        <p>{m.reports_fee_unknown({ count: report.fee_unknown.orders, amount: say(report.fee_unknown.total) })}</p>
      )}
      {report.days.length > 1 && <ByDay report={report} before={before} />}
      <ByHour report={report} />
      <div className={classes.columns}>
        <Vat report={report} />
        <ReportTable
          title={m.reports_made_of()}
          head={[m.reports_part(), m.reports_amount()]}
          rows={[
            { key: 'subtotal', cells: [m.reports_subtotal(), say(totals.subtotal)] },
            { key: 'discounts', cells: [m.reports_discounts(), say(0 - totals.discounts)] },
            { key: 'fees', cells: [m.reports_fees(), say(totals.fees)] },
            { key: 'tips', cells: [m.reports_tips(), say(totals.tips)] },
          ]}
          foot={[m.reports_gross(), say(totals.gross)]}
          empty={m.reports_none()}
        />
        {report.cards.map((cards) => (
          <CardTable key={cards.currency} cards={cards} />
        ))}
        <ReportTable
          title={m.reports_items()}
          hint={m.reports_items_hint()}
          head={[m.reports_item(), m.reports_quantity(), m.reports_amount()]}
          rows={report.items.slice(0, 20).map((item) => ({
            key: item.item_id,
            cells: [item.name, String(item.quantity), say(item.total)],
          }))}
          empty={m.reports_none()}
        />
        <Sums report={report} rows={report.channels} words={channelWords} head={m.reports_where()}>
          {m.reports_parts()}
        </Sums>
        <Sums report={report} rows={report.fulfilment_types} words={fulfilmentWords} head={m.reports_how()}>
          {m.reports_ways()}
        </Sums>
        <Sums report={report} rows={report.payment_methods} words={paymentMethodWords} head={m.reports_how()}>
          {m.reports_paid()}
        </Sums>
        <Lost report={report} />
      </div>
    </div>
  );
}

interface SumsProps<Key extends string> {
  report: SalesReport;
  rows: readonly { key: Key; orders: number; gross: number }[];
  words: Record<Key, () => string>;
  head: string;
  children: string;
}

/** A table of orders and takings with one row for each value of a field, such as each channel. */
function Sums<Key extends string>({ report, rows, words, head, children }: SumsProps<Key>) {
  return (
    <ReportTable
      title={children}
      head={[head, m.reports_orders(), m.reports_amount()]}
      rows={rows.map(({ key, orders, gross }) => ({
        key,
        cells: [words[key](), String(orders), formatMoney(gross, report.currency)],
      }))}
      empty={m.reports_none()}
    />
  );
}

function Vat({ report }: { report: SalesReport }) {
  const say = (amount: number) => formatMoney(amount, report.currency);
  return (
    <ReportTable
      title={m.reports_vat()}
      isWide
      hint={m.reports_vat_hint()}
      head={[m.reports_rate(), m.reports_net(), m.reports_vat_amount(), m.reports_vat_refunded(), m.reports_vat_due()]}
      rows={report.vat.map((row) => ({
        key: String(row.rate),
        cells: [
          vatRateWords(row.rate),
          say(row.net),
          say(row.vat),
          say(row.refunded_vat),
          say(row.vat - row.refunded_vat),
        ],
      }))}
      foot={[
        m.reports_sum(),
        ...(['net', 'vat', 'refunded_vat'] as const).map((key) =>
          say(report.vat.reduce((sum, row) => sum + row[key], 0)),
        ),
        say(report.vat.reduce((sum, row) => sum + row.vat - row.refunded_vat, 0)),
      ]}
      empty={m.reports_none()}
    />
  );
}

function Lost({ report: { lost, late, currency } }: { report: SalesReport }) {
  const say = (amount: number) => formatMoney(amount, currency);
  return (
    <ReportTable
      title={m.reports_lost()}
      hint={
        late.orders > 0
          ? m.reports_late({
              count: late.orders,
              average: late.average_minutes ?? 0,
              worst: late.worst_minutes ?? 0,
            })
          : m.reports_late_none()
      }
      head={[m.reports_why(), m.reports_orders(), m.reports_worth()]}
      rows={lost.map(({ status, reason, orders, total }) => ({
        key: `${status} ${reason}`,
        cells: [lostWords(status, reason), String(orders), say(total)],
      }))}
      empty={m.reports_lost_none()}
    />
  );
}

function ByDay({ report, before }: ViewProps) {
  const say = (amount: number) => formatMoney(amount, report.currency);
  const { totals } = report;
  return (
    <section className={classes.section}>
      <h2>{m.reports_by_day()}</h2>
      <Suspense fallback={<div className={classes.chart} />}>
        <SalesChart
          names={{ now: m.reports_gross(), before: m.reports_gross_before() }}
          format={say}
          rows={report.days.map((day, index) => {
            const then = before?.days[index];
            return { label: shortDayWords(day.date), now: day.gross, ...(then && { before: then.gross }) };
          })}
        />
      </Suspense>
      <details className={classes.details}>
        <summary>{m.reports_as_table()}</summary>
        <Figures
          title={m.reports_by_day()}
          head={[m.reports_day(), m.reports_orders(), m.reports_gross(), m.reports_refunded()]}
          rows={report.days.map((day) => ({
            key: day.date,
            cells: [shortDayWords(day.date), String(day.orders), say(day.gross), say(day.refunded)],
          }))}
          foot={[m.reports_sum(), String(totals.orders), say(totals.gross), say(totals.refunded)]}
        />
      </details>
    </section>
  );
}

function ByHour({ report: { hours, currency } }: ViewProps) {
  const say = (amount: number) => formatMoney(amount, currency);
  if (hours.length === 0) return null;
  return (
    <section className={classes.section}>
      <h2>{m.reports_by_hour()}</h2>
      <Suspense fallback={<div className={classes.chart} />}>
        <SalesChart
          names={{ now: m.reports_gross(), before: '' }}
          format={say}
          rows={hours.map(({ hour, gross }) => ({ label: hourWords(hour).slice(0, 5), now: gross }))}
        />
      </Suspense>
      <details className={classes.details}>
        <summary>{m.reports_as_table()}</summary>
        <Figures
          title={m.reports_by_hour()}
          head={[m.reports_hour(), m.reports_orders(), m.reports_gross()]}
          rows={hours.map(({ hour, orders, gross }) => ({
            key: String(hour),
            cells: [hourWords(hour), String(orders), say(gross)],
          }))}
        />
      </details>
    </section>
  );
}

function lostWords(status: SalesReport['lost'][number]['status'], reason: string | null): string {
  // Only statuses with listed reasons have reason codes. For other statuses, a person's text may equal a code by
  // chance.
  const known =
    orderStatusTable[status].reason === 'listed' &&
    Object.entries(rejectReasonWords).find(([name]) => name === reason)?.[1]();
  const why = known || (reason && givenReasonWords(reason));
  return why === null ? boardStatusWords[status]() : m.reports_lost_why({ status: boardStatusWords[status](), why });
}

function CardTable({ cards }: { cards: CardSums }) {
  const say = (amount: number) => formatMoney(amount, cards.currency);
  const rows: [string, string, number][] = [
    ['charged', m.reports_cards_charged(), cards.charged],
    ['refunded', m.reports_cards_refunded(), 0 - cards.refunded],
    ['disputed', m.reports_cards_disputed(), 0 - cards.disputed],
    ['fees', m.reports_cards_fees(), 0 - cards.fees],
    ['other', m.reports_cards_other(), cards.other],
    ['net', m.reports_cards_net(), cards.net],
    ['paid_out', m.reports_cards_paid_out(), cards.paid_out],
    ['on_the_way', m.reports_cards_on_the_way(), cards.on_the_way],
    ['waiting', m.reports_cards_waiting(), cards.waiting],
  ];
  const always = new Set(['charged', 'fees', 'net', 'paid_out']);
  return (
    <ReportTable
      title={m.reports_cards()}
      hint={m.reports_cards_hint()}
      head={[m.reports_part(), m.reports_amount()]}
      rows={rows
        .filter(([key, , amount]) => amount !== 0 || always.has(key))
        .map(([key, name, amount]) => ({ key, cells: [name, say(amount)] }))}
      empty={m.reports_none()}
    />
  );
}

interface TableProps {
  title: string;
  /** Whether the table spans two columns, on a screen with room for two tables side by side. */
  isWide?: boolean;
  hint?: ReactNode;
  /** The column headings: the first one names the rows, the others name the figures. */
  head: readonly string[];
  rows: readonly { key: string; cells: readonly string[] }[];
  foot?: readonly string[];
  empty: string;
}

function ReportTable({ title, isWide = false, hint, head, rows, foot, empty }: TableProps) {
  return (
    <section className={isWide ? `${classes.section} ${classes.wide}` : classes.section}>
      <h2>{title}</h2>
      {hint && <p className={classes.hint}>{hint}</p>}
      {rows.length === 0 ? <p className={classes.hint}>{empty}</p> : <Figures {...{ title, head, rows, foot }} />}
    </section>
  );
}

function Figures({
  title,
  head,
  rows,
  foot,
}: Pick<TableProps, 'title' | 'head' | 'rows'> & { foot?: readonly string[] | undefined }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolling by keyboard needs the focus
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
  before?: SalesReport | undefined;
}

/** The maximum number of characters of a figure that is shown in large letters; longer figures are smaller. */
const longest = 10;

function KeyFigures({ report, before }: FiguresProps) {
  const say = (amount: number) => formatMoney(amount, report.currency);
  const figures: [
    name: string,
    of: (report: SalesReport) => number | null,
    show: (value: number) => string,
    hint?: string,
  ][] = [
    [m.reports_gross(), ({ totals }) => totals.gross, say, m.reports_gross_hint()],
    [m.reports_orders(), ({ totals }) => totals.orders, formatCount],
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
                <small>
                  {m.reports_before({ value: show(then), change: percentChangeWords(now ?? 0, then) ?? '–' })}
                </small>
              )}
              {hint && <small>{hint}</small>}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
