import { VisuallyHidden } from '@mantine/core';
import { Link } from 'wouter';
import classes from '#complaints/web/complaints.module.css';
import { m } from '#messages';
import type { OrderRating } from '#ordering/contract.ts';
import { dateWords } from '#platform/date-words.ts';
import { api } from '#platform/web/api.ts';
import type { Store } from '#store/contract.ts';
import { knownFilterValue } from '#ui/list-view.ts';
import { DataList, type ListColumn } from '#ui/web/office/data-list.tsx';
import { ChoiceFilter, choicesFromWords } from '#ui/web/office/list-filters.tsx';
import { OfficePage } from '#ui/web/office/office-page.tsx';
import { EmptyState } from '#ui/web/office/states.tsx';
import { useListView, usePagedList } from '#ui/web/office/use-paged-list.ts';

const perPage = 50;
const starWords = Object.fromEntries(
  [5, 4, 3, 2, 1].map((count) => [String(count), () => m.complaints_rating_stars({ count })]),
);

export function RatingsPage({ store }: { store: Store }) {
  const { view, change } = useListView();
  const stars = knownFilterValue(view, 'stars', starWords);
  const { list, answer } = usePagedList({
    key: ['ratings', store.id, view],
    load: (options) =>
      api(
        'GET /v1/ratings',
        { store_id: store.id, page: view.page, per_page: perPage, ...(stars && { stars: Number(stars) }) },
        options,
      ),
  });
  const columns: ListColumn<OrderRating>[] = [
    {
      key: 'stars',
      label: m.complaints_rating(),
      isWhole: true,
      cell: (row) => (
        <>
          <span aria-hidden="true">{'★'.repeat(row.stars).padEnd(5, '☆')}</span>{' '}
          <VisuallyHidden>{m.complaints_rating_stars({ count: row.stars })}</VisuallyHidden>
        </>
      ),
    },
    {
      key: 'text',
      label: m.complaints_their_words(),
      cell: ({ text }) => <span className={classes.address}>{text || '–'}</span>,
    },
    {
      key: 'order',
      label: m.complaints_order_number(),
      cell: (row) => <Link href={`/store/orders?order=${row.order_id}`}>{row.number}</Link>,
    },
    { key: 'at', label: m.complaints_received(), isWhole: true, cell: ({ at }) => dateWords(at, store.timezone) },
  ];
  return (
    <OfficePage title={m.office_page_ratings()} hint={m.complaints_ratings_hint()} isWide>
      {answer?.summary.average != null && (
        <p>
          <strong>
            {m.complaints_ratings_average({ average: answer.summary.average, count: answer.summary.count })}
          </strong>
        </p>
      )}
      <DataList
        label={m.office_page_ratings()}
        columns={columns}
        {...list}
        rowId={(row) => row.order_id}
        rowName={({ number }) => number}
        view={view}
        onView={change}
        hasSearch={false}
        filters={
          <ChoiceFilter
            name="stars"
            label={m.complaints_rating()}
            choices={choicesFromWords(starWords)}
            view={view}
            onView={change}
          />
        }
        empty={<EmptyState title={m.complaints_ratings_none()}>{m.complaints_ratings_none_hint()}</EmptyState>}
      />
    </OfficePage>
  );
}
