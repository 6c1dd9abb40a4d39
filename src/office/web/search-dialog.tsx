import { Spotlight, spotlight } from '@mantine/spotlight';
import '@mantine/spotlight/styles.layer.css';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { m } from '#messages';
import { navigationGroups, type PageLink, topNavigationLinks } from '#office/web/navigation.ts';
import classes from '#office/web/search-dialog.module.css';
import { statusWords } from '#kitchen/web/board-words.ts';
import { fetchMenuParts } from '#menu/web/editor/session/edit-queue.ts';
import { menuPartsKey } from '#menu/web/editor/session/editing-session.ts';
import { createNameMatcher } from '#menu/search-names.ts';
import type { ItemPart } from '#menu/operations/menu-operation.ts';
import type { Order } from '#ordering/order.ts';
import type { Customer } from '#people/contract.ts';
import { dateWords } from '#platform/date-words.ts';
import { createSearchMatcher } from '#platform/fold-text.ts';
import { keysOf } from '#platform/keys-of.ts';
import { formatMoney } from '#platform/money.ts';
import { api } from '#platform/web/api.ts';
import type { Store } from '#store/contract.ts';
import { settingLabel } from '#store/web/manage/fields.tsx';
import { sectionFields, sectionLabels } from '#store/web/manage/settings-section.tsx';
import { writeListView } from '#ui/list-view.ts';
import { rememberFocus } from '#ui/web/office/dialogs.tsx';
import { Icon } from '#ui/web/office/office-icon.tsx';
import type { IconName } from '#ui/web/icons.ts';

let giveFocusBack: (() => void) | undefined;

/** Opens the dialog if it is on the page. */
export function openSearchDialog(): void {
  giveFocusBack ??= rememberFocus();
  spotlight.open();
}

/** A search result, with the address that shows it. */
interface Found {
  id: string;
  label: string;
  description?: string;
  onOpen: () => void;
}

interface FoundGroup {
  label: string;
  icon: IconName;
  rows: Found[];
  /** The list that shows all matches. */
  onAll?: () => void;
}

const shownOfGroup = 6;
/** The fewest letters with which the server is asked for people; an order's number may be shorter. */
const leastLetters = 2;
const debounceMs = 200;

interface DialogProps {
  store: Store;
  stores: readonly Store[];
  choose: (id: string) => void;
}

/** The dialog that finds pages, settings, shops, dishes, orders and customers, and opens them. */
export function SearchDialog({ store, stores, choose }: DialogProps) {
  const [query, setQuery] = useState('');
  const [, go] = useLocation();
  const typed = query.trim();
  const { orders, customers, dishes, isSearching, hasFailed } = useRemoteSearch(store, typed);
  const ofOrders = {
    label: m.office_orders(),
    icon: 'bag',
    rows: orders.map((each) => foundOrder(each, store, go)),
  } as const;
  const isNumber = /^#?\d+$/.test(typed);
  const groups: FoundGroup[] = [
    ...(isNumber ? [ofOrders] : []),
    ...foundPages(typed, go),
    { label: m.office_page_manage(), icon: 'filter', rows: typed === '' ? [] : foundSettings(typed, go) },
    { label: m.office_page_stores(), icon: 'home', rows: foundStores(typed, stores, choose) },
    {
      label: m.office_page_items(),
      icon: 'basket',
      rows: dishes.map((each) => foundDish(each, store, go)),
      onAll: () => go(`/admin/items${searchOf(typed)}`),
    },
    ...(isNumber ? [] : [ofOrders]),
    {
      label: m.office_page_customers(),
      icon: 'user',
      rows: customers.map((each) => foundCustomer(each, go)),
      onAll: () => go(`/admin/customers${searchOf(typed)}`),
    },
  ];
  const shown = groups.filter(({ rows }) => rows.length > 0);
  return (
    <Spotlight.Root
      query={query}
      onQueryChange={setQuery}
      shortcut={null}
      // The focus is restored below, because the library restores it only for dialogs that remain rendered.
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
      />
      <Spotlight.ActionsList>
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

type Go = (path: string) => void;

const searchOf = (search: string): string => writeListView({ search, sort: '', page: 1, filters: {} });

/** Without a search text, all pages in their groups; otherwise the pages whose names contain it, in one group. */
function foundPages(typed: string, go: Go): FoundGroup[] {
  const isFound = createSearchMatcher(typed);
  const found = (group: string, { path, label }: PageLink): Found[] =>
    isFound(`${label} ${group}`) ? [{ id: path, label, onOpen: () => go(path) }] : [];
  const groups = [{ label: m.office_orders(), links: topNavigationLinks() }, ...navigationGroups()].map(
    ({ label, links }) => ({
      label,
      icon: 'pages' as const,
      rows: links.flatMap((link) => found(typed === '' ? '' : label, link)),
    }),
  );
  if (typed === '') return groups;
  return [{ label: m.office_pages(), icon: 'pages', rows: groups.flatMap(({ rows }) => rows) }];
}

/** The matching sections of the shop's settings, and the matching fields in them. */
function foundSettings(typed: string, go: Go): Found[] {
  const isFound = createSearchMatcher(typed);
  return keysOf(sectionFields).flatMap((section) => {
    const label = sectionLabels[section]();
    const open = () => go(`/store/manage?section=${section}`);
    const fields: Found[] = sectionFields[section].flatMap((field) =>
      isFound(settingLabel(field)) && settingLabel(field) !== label
        ? [{ id: `${section}/${field}`, label: settingLabel(field), description: label, onOpen: open }]
        : [],
    );
    return isFound(label) ? [{ id: section, label, onOpen: open }, ...fields] : fields;
  });
}

function foundStores(typed: string, stores: readonly Store[], choose: (id: string) => void): Found[] {
  if (stores.length < 2) return [];
  const isFound = createSearchMatcher(typed);
  return stores.flatMap(({ id, name }) => (isFound(name) ? [{ id, label: name, onOpen: () => choose(id) }] : []));
}

function foundDish({ id, name, price }: ItemPart, { currency }: Store, go: Go): Found {
  return {
    id,
    label: name,
    description: formatMoney(price, currency),
    onOpen: () => go(`/admin/menuEditor?item=${id}`),
  };
}

function foundOrder({ id, number, contact, created_at: at, status, total }: Order, store: Store, go: Go): Found {
  return {
    id,
    label: contact.name === '' ? `#${number}` : `#${number} ${contact.name}`,
    description: [dateWords(at, store.timezone), statusWords[status](), formatMoney(total, store.currency)].join(' · '),
    onOpen: () => go(`/store/orders?order=${id}`),
  };
}

function foundCustomer({ id, name, email, phone }: Customer, go: Go): Found {
  return {
    id,
    label: name,
    description: [email, phone].filter(Boolean).join(' · '),
    onOpen: () => go(`/admin/customers${searchOf(email)}`),
  };
}

/**
 * Searches the menu, the orders and the customers. The results for an earlier text are shown until the next ones
 * arrive.
 */
function useRemoteSearch(store: Store, typed: string) {
  const [sought] = useDebouncedValue(typed.replace(/^#/, ''), debounceMs);
  const isAsked = sought.length >= leastLetters || /^\d$/.test(sought);
  const menu = useQuery({
    queryKey: menuPartsKey(store.id),
    queryFn: ({ signal }) => fetchMenuParts(store.id, signal),
    enabled: isAsked,
    staleTime: 60_000,
  });
  // One result more than is shown reveals that there are more.
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
    enabled: isAsked && sought.length >= leastLetters,
    placeholderData: keepPreviousData,
  });
  const isFound = createNameMatcher(sought);
  const all = [menu, orders, customers];
  const isShown = isAsked && typed !== '';
  return {
    dishes: isShown ? (menu.data?.items ?? []).filter(({ name }) => isFound(name)) : [],
    orders: isShown ? (orders.data?.data ?? []) : [],
    customers: isShown ? (customers.data?.data ?? []) : [],
    isSearching: isShown && all.some(({ isFetching }) => isFetching),
    hasFailed: isShown && all.some(({ isError }) => isError),
  };
}
