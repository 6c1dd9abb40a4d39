import { Button, NativeSelect, Pagination, TextInput } from '@mantine/core';
import '#ui/web/office/mantine-deferred-styles.ts';
import { isCalledOff, orderStatusTable } from '#ordering/order-status.ts';
import { useBoardControls } from '#kitchen/web/board/board-controls.ts';
import { boardMomentWords, boardStatusWords } from '#kitchen/web/board-words.ts';
import listClasses from '#kitchen/web/ticket/done-list.module.css';
import classes from '#kitchen/web/order/order-history.module.css';
import panels from '#kitchen/web/board/panels.module.css';
import { shopNow } from '#platform/web/clock.ts';
import { m } from '#messages';
import { SearchedDaysHint } from '#ui/web/office/list-filters.tsx';
import { OfficeLoadFailure, LoadingState } from '#ui/web/office/states.tsx';
import { pageCountOf } from '#ui/web/office/use-paged-list.ts';
import type { Order, OrderStatus } from '#ordering/order.ts';
import { keysOf } from '#platform/keys-of.ts';
import { dateWords, timeWords } from '#platform/date-words.ts';
import { formatMoney } from '#platform/money.ts';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/web/api.ts';
import type { Store } from '#store/contract.ts';
import { tradingDayOf } from '#store/opening-hours.ts';

const everyStatus = keysOf(orderStatusTable);

/** A list of a store's orders, with a search by number, name or phone, and filters by trading day and status. */
export function OrderHistory() {
  const { store, openDetails } = useBoardControls();
  const { filter, change, query, isNarrowed, hidden } = useOrderHistory(store);
  const { data } = query;
  return (
    <div className={listClasses.done}>
      <TextInput
        data-autofocus
        type="search"
        size="md"
        label={m.kitchen_board_find()}
        value={filter.search}
        onChange={(event) => change({ search: event.currentTarget.value })}
      />
      <Filters filter={filter} change={change} isNarrowed={isNarrowed} />
      <output className={panels.soft}>{data && countWords(data.meta)}</output>
      <SearchedDaysHint days={data?.meta.searched_days ?? null} />
      {!data &&
        (query.error ? (
          <OfficeLoadFailure error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <LoadingState />
        ))}
      {data?.data.length === 0 && <p className={panels.empty}>{m.kitchen_history_none()}</p>}
      {hidden && hidden.count > 0 && <Hidden {...hidden} onShow={() => change({ from: '', to: '', status: '' })} />}
      <ul aria-busy={query.isFetching}>
        {data?.data.map((order) => (
          <HistoryRow key={order.id} order={order} onOpen={() => openDetails(order)} />
        ))}
      </ul>
      {data && pageCountOf(data) > 1 && (
        <nav aria-label={m.kitchen_history_pages()}>
          <Pagination
            total={pageCountOf(data)}
            value={filter.page}
            onChange={(next) => change({ page: next })}
            getItemProps={(each) => ({ 'aria-label': m.office_list_page({ page: each }) })}
            getControlProps={(control) => ({
              'aria-label': control === 'next' ? m.office_list_next() : m.office_list_previous(),
            })}
          />
        </nav>
      )}
    </div>
  );
}

function countWords({ total, total_is_exact: isExact }: { total: number; total_is_exact: boolean }): string {
  return isExact
    ? m.kitchen_history_count({ count: total })
    : m.kitchen_history_count_more({ count: total.toLocaleString('en-GB') });
}

/** The number of matching orders that the filters hide, with a button that shows them. */
function Hidden({ count, isExact, onShow }: { count: number; isExact: boolean; onShow: () => void }) {
  return (
    <div className={classes.hidden} role="status">
      <span>
        {isExact
          ? m.kitchen_history_hidden({ count })
          : m.kitchen_history_hidden_more({ count: count.toLocaleString('en-GB') })}
      </span>
      <Button variant="default" onClick={onShow}>
        {m.kitchen_history_show_hidden()}
      </Button>
    </div>
  );
}

interface FilterProps {
  filter: HistoryFilter;
  change: (part: Parameters<typeof changeHistoryFilter>[1]) => void;
  isNarrowed: boolean;
}

function Filters({ filter: { from, to, status }, change, isNarrowed }: FilterProps) {
  return (
    <div className={classes.filters}>
      <TextInput
        type="date"
        label={m.kitchen_history_from()}
        max={to || undefined}
        value={from}
        onChange={(event) => change({ from: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        label={m.kitchen_history_to()}
        min={from || undefined}
        value={to}
        onChange={(event) => change({ to: event.currentTarget.value })}
      />
      <NativeSelect
        label={m.kitchen_history_status()}
        value={status}
        onChange={(event) => change({ status: everyStatus.find((each) => each === event.currentTarget.value) ?? '' })}
        data={[
          { value: '', label: m.kitchen_history_any() },
          ...everyStatus.map((each) => ({ value: each, label: boardStatusWords[each]() })),
        ]}
      />
      <Button
        variant="default"
        disabled={!isNarrowed}
        onClick={() => change({ search: '', from: '', to: '', status: '' })}
      >
        {m.kitchen_history_all_days()}
      </Button>
    </div>
  );
}

/** The fulfilment type and requested time as text: `Delivery, for 19:30`. */
function wishWords(order: Order, timeZone: string): string {
  const way = order.fulfilment_type === 'delivery' ? m.kitchen_board_delivery() : m.kitchen_board_collection();
  const time = order.requested_for && boardMomentWords(order.requested_for, shopNow(), timeZone);
  return time ? m.kitchen_history_way_for({ way, time }) : m.kitchen_history_way_soon({ way });
}

function HistoryRow({ order, onOpen }: { order: Order; onOpen: () => void }) {
  const { store } = useBoardControls();
  const isBad = isCalledOff(order.status);
  return (
    <li className={listClasses.doneRow}>
      <button type="button" className={listClasses.doneOpen} onClick={onOpen}>
        <strong className={listClasses.doneNumber}>{m.kitchen_board_number({ number: order.number })}</strong>
        <span>
          <span className={listClasses.doneStatus} data-good={!isBad}>
            {boardStatusWords[order.status]()}
          </span>{' '}
          {dateWords(order.created_at, store.timezone)}, {timeWords(order.created_at, store.timezone)}
          <br />
          <span className={panels.soft}>{order.contact.name || m.kitchen_history_forgotten()}</span>
          <br />
          <span>{wishWords(order, store.timezone)}</span>
        </span>
        <span className={listClasses.money}>{formatMoney(order.total, store.currency)}</span>
      </button>
    </li>
  );
}

const perPage = 20;

/** Each store's last filter, so that the list is unchanged after an order was opened and closed. */
const kept = new Map<string, HistoryFilter>();

function useOrderHistory(store: Store) {
  const today = tradingDayOf(store, new Date(shopNow()));
  const [filter, setFilter] = useState<HistoryFilter>(() => kept.get(store.id) ?? initialHistoryFilter(today));
  const [search] = useDebouncedValue(filter.search, 250);
  const change = (part: Parameters<typeof changeHistoryFilter>[1]): void => {
    const next = changeHistoryFilter(filter, part);
    kept.set(store.id, next);
    setFilter(next);
  };
  const { from, to, status, page } = filter;
  const query = useQuery({
    queryKey: ['orders', store.id, search, from, to, status, page],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      api(
        'GET /v1/orders',
        {
          store_id: store.id,
          per_page: perPage,
          page,
          ...(search && { search }),
          ...(from && { start_date: from }),
          ...(to && { end_date: to }),
          ...(status && { status }),
        },
        { signal, timeout: 20_000 },
      ),
  });
  const shown = query.isPlaceholderData ? undefined : query.data?.meta;
  const mayHide = hasDayOrStatusFilter(filter) && shown !== undefined && (search !== '' || shown.total === 0);
  const all = useQuery({
    queryKey: ['orders', store.id, search, 'anywhere'],
    enabled: mayHide,
    queryFn: ({ signal }) =>
      api(
        'GET /v1/orders',
        { store_id: store.id, per_page: 1, ...(search && { search }) },
        { signal, timeout: 20_000 },
      ),
  });
  const isNarrowed = filter.search !== '' || hasDayOrStatusFilter(filter);
  return {
    filter,
    change,
    query,
    isNarrowed,
    hidden: mayHide && all.data ? countHiddenOrders(shown, all.data.meta) : null,
  };
}

/** The first and last trading day of the filter; empty: any day. */
interface Days {
  from: string;
  to: string;
}

export interface HistoryFilter extends Days {
  search: string;
  status: OrderStatus | '';
  page: number;
  /** The days to restore when the search ends; null: no search, or the days were chosen during the search. */
  before: Days | null;
}

export function initialHistoryFilter(today: string): HistoryFilter {
  return { search: '', from: today, to: today, status: '', page: 1, before: null };
}

/** Changes the filter. A new search covers all days. If staff then choose days, the search covers only those days. */
export function changeHistoryFilter(
  filter: HistoryFilter,
  part: Partial<Omit<HistoryFilter, 'before'>>,
): HistoryFilter {
  const next = { ...filter, page: 1, ...part };
  if (part.from !== undefined || part.to !== undefined) return { ...next, before: null };
  if (part.search === undefined || isSameText(filter.search, part.search)) return next;
  const { from, to } = filter;
  if (part.search.trim() === '') return { ...next, ...filter.before, before: null };
  return { ...next, from: '', to: '', before: filter.before ?? { from, to } };
}

function isSameText(before: string, after: string): boolean {
  const [a, b] = [before.trim(), after.trim()];
  return a === b || (a !== '' && b !== '' && (a.startsWith(b) || b.startsWith(a)));
}

interface Counted {
  total: number;
  total_is_exact: boolean;
}

/** The number of orders that the filter hides. If `isExact` is false, the real number may be higher. */
export function countHiddenOrders(shown: Counted, all: Counted): { count: number; isExact: boolean } {
  return { count: Math.max(0, all.total - shown.total), isExact: all.total_is_exact && shown.total_is_exact };
}

export function hasDayOrStatusFilter({ from, to, status }: HistoryFilter): boolean {
  return from !== '' || to !== '' || status !== '';
}
