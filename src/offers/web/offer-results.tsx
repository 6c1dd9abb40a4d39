import { Alert, Button, Table } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { useLocation, useSearch } from 'wouter';
import { m } from '#messages';
import classes from '#offers/web/offers.module.css';
import { formatMoney } from '#platform/money.ts';
import { api } from '#platform/web/api.ts';
import type { OfferReport, OfferResult, OfferSums } from '#reports/contract.ts';
import { rangeToQuery, readRangeFromQuery } from '#reports/date-range.ts';
import { exportTable, runningExport } from '#reports/web/export.ts';
import { RangePicker, useTradingDay } from '#reports/web/range-picker.tsx';
import { percentChangeWords, formatCount, longDayWords } from '#reports/web/report-words.ts';
import type { Store } from '#store/contract.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import { EmptyState, LoadingState, OfficeLoadFailure } from '#ui/web/office/states.tsx';

/**
 * Shows the orders, discounts, takings and customers of each offer and code, in a range of days and in the range
 * before.
 */
export function OfferResults({ store }: { store: Store }) {
  const today = useTradingDay(store);
  const [path, go] = useLocation();
  const range = readRangeFromQuery(useSearch(), today);
  const isBusy = useSyncExternalStore(runningExport.subscribe, () => runningExport.read() !== null);
  const query = useQuery({
    queryKey: ['offers', store.id, 'results', range],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const days = { store_id: store.id, start_date: range.from, end_date: range.to };
      return (await api('GET /v1/reports/offers', days, { signal, timeout: 30_000 })).data;
    },
  });
  return (
    <>
      <div className={classes.days}>
        <RangePicker range={range} today={today} onRange={(next) => go(`${path}${rangeToQuery(next)}&show=results`)}>
          <Button variant="default" loading={isBusy} onClick={() => void exportTable(store, range, 'offers')}>
            {m.reports_download()}
          </Button>
        </RangePicker>
      </div>
      {query.data ? (
        <div className={classes.results} aria-busy={query.isPlaceholderData}>
          {query.isError && (
            <Alert color="bad" role="alert">
              {refusalWords(query.error)}
            </Alert>
          )}
          <Results report={query.data} />
        </div>
      ) : query.isError ? (
        <OfficeLoadFailure error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <LoadingState />
      )}
    </>
  );
}

function Results({ report }: { report: OfferReport }) {
  const { start_date, end_date, before, shop, offers, currency } = report;
  const whole = offers.filter(({ code }) => code === null);
  if (whole.length === 0) return <EmptyState title={m.offers_none()}>{m.offers_none_hint()}</EmptyState>;
  const days = (from: string, to: string) =>
    from === to ? longDayWords(from) : m.offers_results_days({ from: longDayWords(from), to: longDayWords(to) });
  return (
    <>
      <p className={classes.sentence}>
        {m.offers_results_hint({
          days: days(start_date, end_date),
          before: days(before.start_date, before.end_date),
        })}
      </p>
      <ul className={classes.list}>
        {whole.map((offer) => (
          <Result
            key={offer.offer_id}
            offer={offer}
            codes={offers.filter(({ offer_id, code }) => offer_id === offer.offer_id && code !== null)}
            currency={currency}
          />
        ))}
        <li className={classes.card}>
          <h2>{m.offers_results_shop()}</h2>
          <Figures now={shop.now} before={shop.before} currency={currency} />
        </li>
      </ul>
    </>
  );
}

function Result({ offer, codes, currency }: { offer: OfferResult; codes: OfferResult[]; currency: string }) {
  const [only] = codes.length === 1 ? codes : [];
  return (
    <li className={classes.card}>
      <h2>{only?.code ? m.offers_results_with_code({ name: offer.name, code: only.code }) : offer.name}</h2>
      <Figures now={offer.now} before={offer.before} currency={currency} />
      {codes.length > 1 && (
        <details>
          <summary className={classes.more}>{m.offers_results_codes({ count: codes.length })}</summary>
          <Codes name={offer.name} codes={codes} currency={currency} />
        </details>
      )}
    </li>
  );
}

type Sums = Pick<OfferSums, 'orders' | 'discounts' | 'gross' | 'refunded'> &
  Partial<Pick<OfferSums, 'first_orders' | 'repeat_orders'>>;
type Figure = [name: string, of: (sums: Sums) => number | undefined, show: (value: number) => string];

function figuresOf(currency: string): Figure[] {
  const money = (amount: number) => formatMoney(amount, currency);
  return [
    [m.reports_orders(), ({ orders }) => orders, formatCount],
    [m.offers_results_discount(), ({ discounts }) => discounts, money],
    [m.reports_gross(), ({ gross, refunded }) => gross - refunded, money],
    [m.offers_results_new(), ({ first_orders }) => first_orders, formatCount],
    [m.offers_results_returning(), ({ repeat_orders }) => repeat_orders, formatCount],
  ];
}

function Figures({ now, before, currency }: { now: Sums; before: Sums; currency: string }) {
  return (
    <dl className={classes.figures}>
      {figuresOf(currency).map(([name, of, show]) => {
        const [value, earlier] = [of(now), of(before)];
        if (value === undefined || earlier === undefined) return null;
        return (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="num">
              <strong>{show(value)}</strong>
              <small>
                {m.reports_before({ value: show(earlier), change: percentChangeWords(value, earlier) ?? '–' })}
              </small>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function Codes({ name, codes, currency }: { name: string; codes: OfferResult[]; currency: string }) {
  const figures = figuresOf(currency);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scroller must be reached by key
    <div className={classes.codes} role="region" aria-label={m.offers_results_codes_of({ name })} tabIndex={0}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            {[m.offers_code(), ...figures.map(([title]) => title)].map((title) => (
              <Table.Th key={title} scope="col">
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {codes.map(({ code, now, before }) => (
            <Table.Tr key={code}>
              <Table.Th scope="row">{code}</Table.Th>
              {figures.map(([title, of, show]) => (
                <Table.Td key={title} className="num">
                  {m.offers_results_beside({ now: show(of(now) ?? 0), before: show(of(before) ?? 0) })}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
