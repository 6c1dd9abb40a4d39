import { Alert, Button, Checkbox, Menu, Progress } from '@mantine/core';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { useLocation, useSearch } from 'wouter';
import { m } from '#messages';
import { Icon } from '#ui/web/office/office-icon.tsx';
import { OfficePage } from '#ui/web/office/office-page.tsx';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import { OfficeLoadFailure, LoadingState } from '#ui/web/office/states.tsx';
import { formatMoney } from '#platform/money.ts';
import { TestMoneyBand } from '#payment/web/card-payments-band.tsx';
import type { ExportTableName, SalesReport } from '#reports/contract.ts';
import { type DateRange, previousRange, readRangeFromQuery, rangeToQuery } from '#reports/date-range.ts';
import { exportTable, runningExport } from '#reports/web/export.ts';
import { ReportView } from '#reports/web/report-view.tsx';
import { RangePicker, useTradingDay } from '#reports/web/range-picker.tsx';
import { shortDayWords, longDayWords } from '#reports/web/report-words.ts';
import classes from '#reports/web/reports.module.css';
import type { Store } from '#store/contract.ts';
import { intlLocale } from '#platform/language.ts';
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { queryClient } from '#ui/web/office/query-client.ts';
import { unansweredStatuses } from '#ordering/order-status.ts';
import { api } from '#platform/web/api.ts';
import { storeOrdersChannelName } from '#ordering/channels.ts';
import { useChannel } from '#realtime/web/use-channel.ts';
import { cancelAndRefetch } from '#platform/web/cancel-and-refetch.ts';

export function ReportsPage({ store }: { store: Store }) {
  const today = useTradingDay(store);
  const search = useSearch();
  const [path, go] = useLocation();
  const range = readRangeFromQuery(search, today);
  const isCompared = new URLSearchParams(search).get('compare') === '1';
  useLiveSales(store);
  const query = useSales(store, range);
  const before = useSales(store, isCompared ? previousRange(range) : null);
  const show = (of: Parameters<typeof rangeToQuery>[0], compare: boolean) =>
    go(`${path}${rangeToQuery(of)}${compare ? '&compare=1' : ''}`);
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
      <RangePicker range={range} today={today} onRange={(next) => show(next, isCompared)}>
        <Checkbox
          className={classes.compare}
          label={m.reports_compare()}
          checked={isCompared}
          onChange={(event) => show(range, event.currentTarget.checked)}
        />
      </RangePicker>
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
        <OfficeLoadFailure error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <LoadingState />
      )}
    </OfficePage>
  );
}

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
  if (from === to) return m.reports_hint_day({ day: shortDayWords(from), start });
  return m.reports_hint({ from: longDayWords(from), to: longDayWords(to), start });
}

function Actions({ store, range }: { store: Store; range: DateRange }) {
  const isBusy = useSyncExternalStore(runningExport.subscribe, () => runningExport.read() !== null);
  const download = (rows: ExportTableName) => void exportTable(store, range, rows);
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

function ExportPanel() {
  const running = useSyncExternalStore(runningExport.subscribe, runningExport.read);
  if (!running) return null;
  const { rows, day, part, cancel } = running;
  const count = rows.toLocaleString(intlLocale());
  return (
    <section aria-label={m.reports_export_running()} className={classes.export}>
      <p>
        <strong>{m.reports_export_running()}</strong>
        <span>
          {day === null ? m.reports_export_begins() : m.reports_export_so_far({ count, day: longDayWords(day) })}
        </span>
      </p>
      <Button variant="default" onClick={cancel}>
        {m.reports_export_cancel()}
      </Button>
      <Progress value={part * 100} aria-label={m.reports_export_running()} />
    </section>
  );
}

/** Reads the report on a range; null: nothing is read. The previous report stays visible until the new one is there. */
function useSales(store: Store, range: DateRange | null): UseQueryResult<SalesReport> {
  return useQuery({
    queryKey: ['sales', store.id, range],
    enabled: range !== null,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const { from = '', to = '' } = range ?? {};
      const query = { store_id: store.id, start_date: from, end_date: to };
      return (await api('GET /v1/reports/sales', query, { signal, timeout: 30_000 })).data;
    },
  });
}

/** The number of unanswered orders; 0 while it is loading. */
function useWaitingOrders(store: Store): number {
  const { data } = useQuery({
    queryKey: ['sales', store.id, 'waiting'],
    queryFn: async ({ signal }) => {
      const query = { store_id: store.id, status: unansweredStatuses.join(), per_page: 1 };
      return (await api('GET /v1/orders', query, { signal, timeout: 15_000 })).meta.total;
    },
  });
  return data ?? 0;
}

/** Debounce in milliseconds, because orders arrive in bursts. */
const afterOrders = 2_000;

function useLiveSales(store: Store): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const refetch = () => void cancelAndRefetch(queryClient, ['sales', store.id]);
  const soon = (): void => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      refetch();
    }, afterOrders);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  useChannel<{ 'order.placed': unknown; 'order.updated': unknown }>(
    storeOrdersChannelName(store.id),
    { 'order.placed': soon, 'order.updated': soon },
    { onCaughtUp: refetch },
  );
}
