import { m } from '#messages';
import { formatMoney } from '#platform/money.ts';
import type { SalesReport } from '#reports/contract.ts';
import { changeWords, countWords } from '#reports/web/report-words.ts';
import classes from '#reports/web/reports.module.css';

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
