import { Alert, Button, Menu } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { useLocation, useSearch } from 'wouter';
import { m } from '#messages';
import { Icon } from '#ui/web/office/icon.tsx';
import { OfficePage } from '#ui/web/office/office-page.tsx';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import { Trouble, Waiting } from '#ui/web/office/states.tsx';
import { formatMoney } from '#platform/money.ts';
import { TestMoneyBand } from '#payment/web/card-payments-band.tsx';
import type { ExportRows } from '#reports/contract.ts';
import { previousRange, readRange, writeRange, type DateRange } from '#reports/date-range.ts';
import { exportTable, runningExport } from '#reports/web/export.ts';
import { ExportPanel } from '#reports/web/export-panel.tsx';
import { RangePicker } from '#reports/web/range-picker.tsx';
import { ReportView } from '#reports/web/report-view.tsx';
import { shortDay, wholeDay } from '#reports/web/report-words.ts';
import classes from '#reports/web/reports.module.css';
import { useLiveSales, useSales, useTradingDay, useWaitingOrders } from '#reports/web/use-sales.ts';
import type { Store } from '#store/contract.ts';

/** Today at a glance, and what any range of days came to; for the owner and the accountant. */
export function ReportsPage({ store }: { store: Store }) {
  const today = useTradingDay(store);
  const search = useSearch();
  const [path, go] = useLocation();
  const range = readRange(search, today);
  const isCompared = new URLSearchParams(search).get('compare') === '1';
  useLiveSales(store);
  const query = useSales(store, range);
  const before = useSales(store, isCompared ? previousRange(range) : null);
  const show = (of: Parameters<typeof writeRange>[0], compare: boolean) =>
    go(`${path}${writeRange(of)}${compare ? '&compare=1' : ''}`);
  return (
    <OfficePage
      title={m.office_page_reports()}
      hint={hintOf(range, store.day_starts_at)}
      actions={<Actions store={store} range={range} />}
      isWide
    >
      <TestMoneyBand store={store} />
      <ExportPanel />
      <Today store={store} today={today} />
      <RangePicker
        range={range}
        today={today}
        isCompared={isCompared}
        onRange={(next) => show(next, isCompared)}
        onCompare={(next) => show(range, next)}
      />
      {query.data ? (
        <div
          className={classes.fresh}
          data-stale={query.isPlaceholderData || undefined}
          aria-busy={query.isPlaceholderData}
        >
          {query.isError && (
            <Alert color="bad" role="alert" mb="md">
              {refusalWords(query.error)}
            </Alert>
          )}
          <ReportView report={query.data} before={isCompared && !before.isPlaceholderData ? before.data : undefined} />
        </div>
      ) : query.isError ? (
        <Trouble error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Waiting />
      )}
    </OfficePage>
  );
}

/** Follows the orders as they come in. */
function Today({ store, today }: { store: Store; today: string }) {
  const { data } = useSales(store, { from: today, to: today });
  const waiting = useWaitingOrders(store);
  if (!data) return null;
  const { totals, unpaid, lost } = data;
  return (
    <section aria-label={m.reports_today_glance()} className={classes.today}>
      <p>
        <strong>
          {m.reports_today_so_far({ amount: formatMoney(totals.gross, data.currency), count: totals.orders })}
        </strong>
        <span>{m.reports_today_open({ amount: formatMoney(unpaid.total, data.currency), count: unpaid.orders })}</span>
        {waiting > 0 && <span>{m.reports_today_waiting({ count: waiting })}</span>}
        <span>{m.reports_today_lost({ count: lost.reduce((sum, { orders }) => sum + orders, 0) })}</span>
      </p>
    </section>
  );
}

function hintOf({ from, to }: DateRange, start: string): string {
  if (from === to) return m.reports_hint_day({ day: shortDay(from), start });
  return m.reports_hint({ from: wholeDay(from), to: wholeDay(to), start });
}

function Actions({ store, range }: { store: Store; range: DateRange }) {
  const isBusy = useSyncExternalStore(runningExport.subscribe, () => runningExport.read() !== null);
  const download = (rows: ExportRows) => void exportTable(store, range, rows);
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" loading={isBusy} rightSection={<Icon name="down" />}>
            {m.reports_download()}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => download('orders')}>{m.reports_download_orders()}</Menu.Item>
          <Menu.Item onClick={() => download('vat')}>{m.reports_download_vat()}</Menu.Item>
          <Menu.Item onClick={() => download('payouts')}>{m.reports_download_payouts()}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Button variant="default" leftSection={<Icon name="print" />} onClick={() => window.print()}>
        {m.reports_print()}
      </Button>
    </>
  );
}
