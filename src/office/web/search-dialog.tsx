import { createSpotlight, Spotlight } from '@mantine/spotlight';
import '@mantine/spotlight/styles.layer.css';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDebouncedValue } from '@mantine/hooks';
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { m } from '#messages';
import { navigationGroups, type PageLink, topNavigationLinks } from '#office/web/navigation.ts';
import classes from '#office/web/search-dialog.module.css';
import {
  orderNumberOf,
  pageSynonyms,
  serverResultRank,
  searchRank,
  sectionSynonyms,
} from '#office/web/search-ranking.ts';
import { boardStatusWords } from '#kitchen/web/board-words.ts';
import { fetchMenuParts } from '#menu/web/editor/session/edit-queue.ts';
import { menuPartsKey } from '#menu/web/editor/session/editing-session.ts';
import { createNameMatcher } from '#menu/search-names.ts';
import type { ItemPart } from '#menu/operations/menu-operation.ts';
import type { Order } from '#ordering/order.ts';
import type { Customer, StaffMember } from '#people/contract.ts';
import { dateWords } from '#platform/date-words.ts';
import { keysOf } from '#platform/keys-of.ts';
import { formatMoney } from '#platform/money.ts';
import { api } from '#platform/web/api.ts';
import type { Store } from '#store/contract.ts';
import { settingLabel } from '#store/web/manage/fields.tsx';
import { sectionFields, sectionLabels } from '#store/web/manage/settings-section.tsx';
import { listViewToQuery } from '#ui/list-view.ts';
import { rememberFocus } from '#ui/web/office/dialogs.tsx';
import { Icon } from '#ui/web/office/office-icon.tsx';
import type { IconName } from '#ui/web/icons.ts';

const [spotlightStore, spotlight] = createSpotlight();

let giveFocusBack: (() => void) | undefined;

export function openSearchDialog(): void {
  giveFocusBack ??= rememberFocus();
  spotlight.open();
}

interface Found {
  id: string;
  label: string;
  description?: string;
  rank: number;
  onOpen: () => void;
}

interface FoundGroup {
  label: string;
  icon: IconName;
  rows: Found[];
  onAll?: () => void;
}

const shownOfGroup = 6;
/** The minimum length of a search text. A single digit is searched too, but only among orders and dishes. */
const leastLetters = 2;
const debounceMs = 200;

interface DialogProps {
  store: Store;
  stores: readonly Store[];
  choose: (id: string) => void;
}

export function SearchDialog({ store, stores, choose }: DialogProps) {
  const [query, setQuery] = useState('');
  const [, go] = useLocation();
  const typed = query.trim();
  const remote = useRemoteSearch(store, typed);
  const { isSearching, hasFailed } = remote;
  const local: FoundGroup[] = [
    ...foundPages(typed, go),
    { label: m.office_page_manage(), icon: 'filter', rows: typed === '' ? [] : foundSettings(typed, go) },
    { label: m.office_page_stores(), icon: 'home', rows: foundStores(typed, stores, choose) },
  ];
  const shown = inRankOrder([...local, ...foundRemotely(remote, typed, store, go)]);
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = useFirstResult(list, shown[0]?.rows[0], { typed, isSearching });
  return (
    <Spotlight.Root
      store={spotlightStore}
      query={query}
      onQueryChange={setQuery}
      shortcut={null}
      // The library restores the focus only for dialogs that stay mounted, so `onSpotlightClose` restores it.
      returnFocus={false}
      onSpotlightClose={() => {
        giveFocusBack?.();
        giveFocusBack = undefined;
      }}
      centered={false}
      scrollable
      maxHeight="min(36rem, 70dvh)"
      overlayProps={{ blur: 0 }}
      attributes={{ content: { 'aria-label': m.office_search() } }}
      classNames={{ content: classes.content ?? '' }}
    >
      <Spotlight.Search
        placeholder={m.office_search_hint()}
        aria-label={m.office_search_hint()}
        leftSection={<Icon name="search" />}
        onKeyDownCapture={onKeyDown}
      />
      <Spotlight.ActionsList ref={list}>
        {shown.map((group) => (
          <Group key={group.label} group={group} typed={typed} />
        ))}
        {shown.length === 0 && !isSearching && <Spotlight.Empty>{m.office_list_no_match()}</Spotlight.Empty>}
      </Spotlight.ActionsList>
      <output className={classes.state}>
        {isSearching ? m.office_search_running() : hasFailed ? m.office_search_failed() : null}
      </output>
    </Spotlight.Root>
  );
}

function Group({ group: { label, icon, rows, onAll }, typed }: { group: FoundGroup; typed: string }) {
  const shown = typed === '' ? rows : rows.slice(0, shownOfGroup);
  return (
    <Spotlight.ActionsGroup label={label}>
      {shown.map(({ id, label: name, description, onOpen }) => (
        <Spotlight.Action
          key={id}
          className={classes.action ?? ''}
          label={name}
          {...(description !== undefined && { description })}
          leftSection={<Icon name={icon} />}
          onClick={onOpen}
        />
      ))}
      {onAll && shown.length < rows.length && (
        <Spotlight.Action className={classes.action ?? ''} label={m.office_search_all({ typed })} onClick={onAll} />
      )}
    </Spotlight.ActionsGroup>
  );
}

/** Sorts the groups, and the rows in each, by rank. Without a search text all ranks are equal, and the order stays. */
function inRankOrder(groups: readonly FoundGroup[]): FoundGroup[] {
  const sorted = groups
    .filter(({ rows }) => rows.length > 0)
    .map((group) => ({ ...group, rows: group.rows.toSorted((a, b) => a.rank - b.rank) }));
  const best = ({ rows }: FoundGroup): number => rows[0]?.rank ?? 0;
  return sorted.toSorted((a, b) => best(a) - best(b));
}

/**
 * Selects the first result whenever results arrive, until an arrow key selects another one. Enter opens the first
 * result. It waits for a running search, unless the first result matches the whole text (rank 0).
 */
function useFirstResult(
  list: RefObject<HTMLDivElement | null>,
  first: Found | undefined,
  { typed, isSearching }: { typed: string; isSearching: boolean },
): (event: KeyboardEvent) => void {
  const chosenFor = useRef<string | null>(null);
  const enteredFor = useRef<string | null>(null);
  const isDue = !isSearching || first?.rank === 0;
  const openFirst = (): void => {
    enteredFor.current = null;
    if (!first) return;
    first.onOpen();
    spotlight.close();
  };
  useEffect(() => {
    if (enteredFor.current === typed && isDue) openFirst();
    if (chosenFor.current === typed) return;
    const actions = [...(list.current?.querySelectorAll('[data-action]') ?? [])];
    for (const [at, action] of actions.entries()) action.toggleAttribute('data-selected', at === 0);
    spotlightStore.updateState((state) => ({ ...state, selected: 0 }));
  });
  return (event) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') chosenFor.current = typed;
    if (event.key !== 'Enter' || chosenFor.current === typed || typed === '') return;
    event.preventDefault();
    event.stopPropagation();
    if (isDue) openFirst();
    else enteredFor.current = typed;
  };
}

type Go = (path: string) => void;

const searchOf = (search: string): string => listViewToQuery({ search, sort: '', page: 1, filters: {} });

/**
 * Without a search text: all pages in their groups. With one: a single group of the pages whose names or synonyms
 * match.
 */
function foundPages(typed: string, go: Go): FoundGroup[] {
  const found = (group: string, { path, label }: PageLink): Found[] => {
    const rank = typed === '' ? 0 : searchRank(typed, label, `${group}, ${pageSynonyms[path]?.() ?? ''}`);
    return rank === null ? [] : [{ id: path, label, rank, onOpen: () => go(path) }];
  };
  const setUp: PageLink = { path: '/admin/set-up', label: m.office_first_evening() };
  const top = { label: m.office_orders(), links: [...topNavigationLinks(), setUp] };
  const groups = [top, ...navigationGroups()].map(({ label, links }) => ({
    label,
    icon: 'pages' as const,
    rows: links.flatMap((link) => found(label, link)),
  }));
  if (typed === '') return groups;
  return [{ label: m.office_pages(), icon: 'pages', rows: groups.flatMap(({ rows }) => rows) }];
}

/** The sections of the shop's settings whose names match, and the single settings whose names match. */
function foundSettings(typed: string, go: Go): Found[] {
  return keysOf(sectionFields).flatMap((section) => {
    const label = sectionLabels[section]();
    const onOpen = () => go(`/store/manage?section=${section}`);
    const fields: Found[] = sectionFields[section].flatMap((field) => {
      const name = settingLabel(field);
      const rank = name === label ? null : searchRank(typed, name);
      return rank === null ? [] : [{ id: `${section}/${field}`, label: name, description: label, rank, onOpen }];
    });
    const rank = searchRank(typed, label, sectionSynonyms[section]());
    return rank === null ? fields : [{ id: section, label, rank, onOpen }, ...fields];
  });
}

function foundStores(typed: string, stores: readonly Store[], choose: (id: string) => void): Found[] {
  if (stores.length < 2) return [];
  return stores.flatMap(({ id, name }) => {
    const rank = typed === '' ? 0 : searchRank(typed, name);
    return rank === null ? [] : [{ id, label: name, rank, onOpen: () => choose(id) }];
  });
}

/**
 * The groups of results of `useRemoteSearch`. If the text is a number, orders come first, because it is probably an
 * order number.
 */
function foundRemotely(
  { orders, customers, staff, dishes }: ReturnType<typeof useRemoteSearch>,
  typed: string,
  store: Store,
  go: Go,
): FoundGroup[] {
  const isNumber = orderNumberOf(typed) !== null;
  const ranked = (row: Omit<Found, 'rank'>, name = row.label): Found => ({
    ...row,
    rank: searchRank(typed, name) ?? serverResultRank,
  });
  return [
    {
      label: m.office_page_items(),
      icon: 'basket',
      rows: dishes.map((each) => ranked(foundDish(each, store, go))),
      onAll: () => go(`/admin/items${searchOf(typed)}`),
    },
    {
      label: m.office_orders(),
      icon: 'bag',
      rows: orders.map((each) => ({
        ...ranked(foundOrder(each, store, go), each.contact.name),
        ...(isNumber && { rank: -1 }),
      })),
    },
    {
      label: m.office_page_customers(),
      icon: 'user',
      rows: customers.map((each) => ranked(foundPerson(each, '/admin/customers', go))),
      onAll: () => go(`/admin/customers${searchOf(typed)}`),
    },
    {
      label: m.office_page_staff(),
      icon: 'user',
      rows: staff.map((each) => ranked(foundPerson(each, '/admin/staff', go))),
      onAll: () => go(`/admin/staff${searchOf(typed)}`),
    },
  ];
}

function foundDish({ id, name, price }: ItemPart, { currency }: Store, go: Go): Omit<Found, 'rank'> {
  return {
    id,
    label: name,
    description: formatMoney(price, currency),
    onOpen: () => go(`/admin/menuEditor?item=${id}`),
  };
}

function foundOrder(
  { id, number, contact, created_at: at, status, total }: Order,
  store: Store,
  go: Go,
): Omit<Found, 'rank'> {
  return {
    id,
    label: contact.name === '' ? `#${number}` : `#${number} ${contact.name}`,
    description: [dateWords(at, store.timezone), boardStatusWords[status](), formatMoney(total, store.currency)].join(
      ' · ',
    ),
    onOpen: () => go(`/store/orders?order=${id}`),
  };
}

function foundPerson(
  { id, name, email, ...person }: Customer | StaffMember,
  page: '/admin/customers' | '/admin/staff',
  go: Go,
): Omit<Found, 'rank'> {
  const description = [email, 'phone' in person ? person.phone : ''].filter(Boolean).join(' · ');
  return { id, label: name, description, onOpen: () => go(`${page}${searchOf(email)}`) };
}

/** Searches the menu, orders, customers and staff. While results are loading, those of the previous text stay. */
function useRemoteSearch(store: Store, typed: string) {
  const { sought, isAsked, isNamed, isWaiting } = useSoughtText(typed);
  const menu = useQuery({
    queryKey: menuPartsKey(store.id),
    queryFn: ({ signal }) => fetchMenuParts(store.id, signal),
    enabled: isAsked,
    staleTime: 60_000,
  });
  // Each call requests one result more than the dialog shows. The extra result means that there are further matches.
  const page = { search: sought, per_page: shownOfGroup + 1 };
  const orders = useQuery({
    queryKey: ['search', 'orders', store.id, sought],
    queryFn: ({ signal }) => api('GET /v1/orders', { ...page, store_id: store.id }, { signal, timeout: 10_000 }),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  });
  const customers = useQuery({
    queryKey: ['search', 'customers', sought],
    queryFn: ({ signal }) => api('GET /v1/customers', page, { signal, timeout: 10_000 }),
    enabled: isNamed,
    placeholderData: keepPreviousData,
  });
  const staff = useQuery({
    queryKey: ['search', 'staff', sought],
    queryFn: ({ signal }) => api('GET /v1/staff', page, { signal, timeout: 10_000 }),
    enabled: isNamed,
    placeholderData: keepPreviousData,
  });
  const isFound = createNameMatcher(sought);
  const all = [menu, orders, customers, staff];
  const isShown = isAsked && typed !== '';
  const shown = <T,>(rows: readonly T[] | undefined): readonly T[] => (isShown && rows) || [];
  return {
    dishes: shown(menu.data?.items).filter(({ name }) => isFound(name)),
    orders: shown(orders.data?.data),
    customers: shown(customers.data?.data),
    staff: shown(staff.data?.data),
    isSearching: isWaiting || (isShown && all.some(({ isFetching }) => isFetching)),
    hasFailed: isShown && all.some(({ isError }) => isError),
  };
}

/** The debounced search text, and whether it is long enough for each server search. */
function useSoughtText(typed: string) {
  const wanted = orderNumberOf(typed) ?? typed.replace(/^#/, '');
  const [sought] = useDebouncedValue(wanted, debounceMs);
  const isAskable = (text: string): boolean => text.length >= leastLetters || /^\d$/.test(text);
  return {
    sought,
    isAsked: isAskable(sought),
    isNamed: sought.length >= leastLetters,
    isWaiting: isAskable(wanted) && wanted !== sought,
  };
}
