import { Pagination } from '@mantine/core';
import { m } from '#messages';
import { SearchedDays } from '#ui/web/office/searched-days.tsx';
import classes from '#ui/web/office/data-list.module.css';

interface CountProps {
  total: number;
  isCounted?: boolean | undefined;
  searchedDays?: number | null | undefined;
}

/** How many rows there are, and how far back a search went if not over all of them. */
export function ListCount({ total, isCounted = true, searchedDays = null }: CountProps) {
  const words = isCounted
    ? m.office_list_count({ count: total })
    : m.office_list_count_more({ count: total.toLocaleString('en-GB') });
  return (
    <div className={classes.count}>
      <output>{words}</output>
      <SearchedDays days={searchedDays} />
    </div>
  );
}

/** The pages of a list, if it has more than one. */
export function ListPages({ page, pages, onPage }: { page: number; pages: number; onPage: (page: number) => void }) {
  if (pages <= 1) return null;
  return (
    <nav aria-label={m.office_list_pages()} className={classes.pages}>
      <Pagination
        total={pages}
        value={page}
        onChange={onPage}
        getItemProps={(each) => ({ 'aria-label': m.office_list_page({ page: each }) })}
        getControlProps={(control) => ({
          'aria-label': control === 'next' ? m.office_list_next() : m.office_list_previous(),
        })}
      />
    </nav>
  );
}
