import { Button, NativeSelect, Pagination, TextInput } from '@mantine/core';
import '#ui/web/office/mantine-more.ts';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isCalledOff, statuses } from '#ordering/order-status.ts';
import { useBoardControls } from '#kitchen/web/board-controls.ts';
import { momentWords, statusWords } from '#kitchen/web/board-words.ts';
import classes from '#kitchen/web/panels.module.css';
import { shopNow } from '#kitchen/web/shop-clock.ts';
import { m } from '#messages';
import { Trouble, Waiting } from '#ui/web/office/states.tsx';
import type { Order, OrderStatus } from '#ordering/order.ts';
import { keysOf } from '#platform/keys-of.ts';
import { formatMoney } from '#platform/money.ts';
import { api } from '#platform/web/api.ts';
import { tradingDayOf } from '#store/opening-hours.ts';

const perPage = 20;
const everyStatus = keysOf(statuses);

interface Filter {
  search: string;
  from: string;
  to: string;
  status: OrderStatus | '';
  page: number;
}

/** Every order that the store ever had: found by number, name or phone, by trading day and by status. */
export function OrderHistory() {
  const { store, openDetails } = useBoardControls();
  const today = tradingDayOf(store, new Date(shopNow()));
  const [filter, setFilter] = useState<Filter>(
    () => kept.get(store.id) ?? { search: '', from: today, to: today, status: '', page: 1 },
  );
  const [search] = useDebouncedValue(filter.search, 250);
  const change = (part: Partial<Filter>): void => {
    const next = { ...filter, page: 1, ...part };
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
  const { data } = query;
  const isNarrowed = filter.search !== '' || from !== '' || to !== '' || status !== '';
  return (
    <div className={classes.done}>
      <TextInput
        data-autofocus
        type="search"
        size="md"
        label={m.kitchen_board_find()}
        value={filter.search}
        onChange={(event) => change({ search: event.currentTarget.value })}
      />
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
            ...everyStatus.map((each) => ({ value: each, label: statusWords[each]() })),
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
      <output className={classes.soft}>{data && m.kitchen_history_count({ count: data.meta.total })}</output>
      {!data && (query.error ? <Trouble error={query.error} onRetry={() => void query.refetch()} /> : <Waiting />)}
      {data?.data.length === 0 && <p className={classes.empty}>{m.kitchen_history_none()}</p>}
      <ul aria-busy={query.isFetching}>
        {data?.data.map((order) => (
          <HistoryRow key={order.id} order={order} onOpen={() => openDetails(order)} />
        ))}
      </ul>
      {data && data.meta.last_page > 1 && (
        <nav aria-label={m.kitchen_history_pages()}>
          <Pagination
            total={data.meta.last_page}
            value={page}
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

/** Returns to the same place in the list after an order was open. */
const kept = new Map<string, Filter>();

function HistoryRow({ order, onOpen }: { order: Order; onOpen: () => void }) {
  const { store } = useBoardControls();
  const isBad = isCalledOff(order.status);
  return (
    <li className={classes.doneRow}>
      <button type="button" className={classes.doneOpen} onClick={onOpen}>
        <strong className={classes.doneNumber}>{m.kitchen_board_number({ number: order.number })}</strong>
        <span>
          <span className={classes.doneStatus} data-good={!isBad}>
            {statusWords[order.status]()}
          </span>{' '}
          {momentWords(order.created_at, shopNow(), store.timezone)}
          <br />
          <span className={classes.soft}>{order.contact.name || m.kitchen_history_forgotten()}</span>
        </span>
        <span className={classes.money}>{formatMoney(order.total, store.currency)}</span>
      </button>
    </li>
  );
}
