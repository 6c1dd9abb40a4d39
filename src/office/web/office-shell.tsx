import { ActionIcon, Button, Menu, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { createElement, lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { hasUserLookupFailed, reloadUser, useSession } from '#accounts/web/session.ts';
import { m } from '#messages';
import { Icon } from '#ui/web/office/office-icon.tsx';
import { NavigationDrawer, Sidebar } from '#office/web/sidebar.tsx';
import classes from '#office/web/office-shell.module.css';
import { ShopControls } from '#office/web/shop-controls.tsx';
import { lazyPart } from '#ui/web/lazy-part.ts';
import { EmptyState, OfficeLoadFailure, LoadingState } from '#ui/web/office/states.tsx';
import { useOwnStores } from '#accounts/web/use-stores.ts';
import type { StaffStore, Store } from '#store/contract.ts';
import { refetchStoresIfOlder, refetchStores } from '#store/web/stores.ts';
import { STORES_CHANNEL } from '#store/channels.ts';
import { useChannel } from '#realtime/web/use-channel.ts';
import { useHotkeys } from '@mantine/hooks';
import { guardPage, type PageAccess } from '#accounts/guard.ts';
import { signOut } from '#accounts/web/sign-in-and-out.ts';
import { saveSignInReturnPath } from '#accounts/web/sign-in-return-path.ts';
import { ApiError } from '#platform/web/api.ts';

const devicePush = lazyPart(
  async () => (await import('#office/web/device-push.tsx')).DevicePushDialog,
  () => null,
);

const installationFaults = lazyPart(
  async () => (await import('#office/web/installation-faults.tsx')).InstallationFaults,
  () => null,
);

const firstShop = lazyPart(
  async () => (await import('#office/web/first-shop.tsx')).FirstShop,
  () => null,
);

const versions = lazyPart(
  async () => (await import('#office/web/versions.tsx')).VersionLabel,
  () => null,
);

interface ShellProps {
  children: (store: StaffStore) => ReactNode;
  /** Whether the page fills a wall screen, and so has few controls. */
  isFullScreen?: boolean;
}

export function OfficeShell({ children, isFullScreen = false }: ShellProps) {
  const { query, stores, store, choose } = useOwnStores();
  const isOwner = useSession().role === 'admin';
  const hasOffice = isOwner && !isFullScreen;
  const [isPushAsked, setPushAsked] = useState(false);
  const [path] = useLocation();
  if (query.isPending) return <LoadingState />;
  if (query.isError && !query.data)
    return <OfficeLoadFailure error={query.error} onRetry={() => void query.refetch()} />;
  if (!store) return <NoStore mayBegin={hasOffice && stores.length === 0} />;
  return (
    <div className={classes.shell} data-wall={isFullScreen || undefined}>
      <StoresUpdater />
      <a className={classes.skip} href="#main">
        {m.office_skip()}
      </a>
      <header className={classes.header}>
        {!isFullScreen && <NavigationDrawer isOwner={isOwner} />}
        <StoreName store={store} stores={stores} choose={choose} />
        {hasOffice && <Search store={store} stores={stores} choose={choose} />}
        {path !== '/admin/set-up' && <ShopControls store={store} />}
        <AccountMenu isFullScreen={isFullScreen} onPush={() => setPushAsked(true)} />
      </header>
      <div className={classes.body}>
        {!isFullScreen && <Sidebar isOwner={isOwner} />}
        <main id="main" className={classes.main} tabIndex={-1}>
          {hasOffice && <Suspense>{createElement(installationFaults())}</Suspense>}
          {children(store)}
          <div id="layer" />
          {isPushAsked && <Suspense>{createElement(devicePush(), { onClose: () => setPushAsked(false) })}</Suspense>}
        </main>
      </div>
    </div>
  );
}

/** The page without a shop: an owner can create the first one, and others learn that somebody must add them. */
function NoStore({ mayBegin }: { mayBegin: boolean }) {
  if (mayBegin) return <Suspense fallback={<LoadingState />}>{createElement(firstShop())}</Suspense>;
  return <EmptyState title={m.office_no_store()}>{m.office_no_store_hint()}</EmptyState>;
}

function StoreName({ store, stores, choose }: { store: Store; stores: Store[]; choose: (id: string) => void }) {
  if (stores.length < 2) return <p className={classes.name}>{store.name}</p>;
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button variant="subtle" className={classes.name} rightSection={<Icon name="down" />}>
          {store.name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{m.office_choose_store()}</Menu.Label>
        {stores.map((other) => (
          <Menu.Item key={other.id} onClick={() => choose(other.id)} aria-current={other.id === store.id || undefined}>
            {other.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

interface AccountMenuProps {
  isFullScreen: boolean;
  onPush: () => void;
}

function AccountMenu({ isFullScreen, onPush }: AccountMenuProps) {
  const { user, role } = useSession();
  const [, go] = useLocation();
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <ActionIcon aria-label={m.office_menu()} className={classes.account}>
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{m.office_signed_in_as({ name: user?.name ?? '' })}</Menu.Label>
        {isFullScreen && role === 'admin' && (
          <Menu.Item leftSection={<Icon name="board" />} onClick={() => go('/store/orders')}>
            {m.office_to_orders()}
          </Menu.Item>
        )}
        {isFullScreen && (
          <Menu.Item leftSection={<Icon name="expand" />} onClick={() => void toggleFullScreen()}>
            {m.office_full_screen()}
          </Menu.Item>
        )}
        {!isFullScreen && role === 'admin' && (
          <Menu.Item leftSection={<Icon name="check" />} onClick={() => go('/admin/set-up')}>
            {m.office_first_evening()}
          </Menu.Item>
        )}
        <SchemeItem />
        <Menu.Item leftSection={<Icon name="bell" />} onClick={onPush}>
          {m.office_push_title()}
        </Menu.Item>
        {!user?.is_device && (
          <Menu.Item leftSection={<Icon name="user" />} onClick={() => go('/kitchen/my-sign-in')}>
            {m.office_page_factors()}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<Icon name="collection" />} component="a" href="/">
          {m.office_to_storefront()}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="signOut" />} onClick={() => void signOutAndLeave()}>
          {m.office_sign_out()}
        </Menu.Item>
        {!isFullScreen && role === 'admin' && <Suspense>{createElement(versions())}</Suspense>}
      </Menu.Dropdown>
    </Menu>
  );
}

/**
 * The search's keyboard shortcut: ⌘ on Apple's keyboards, otherwise Ctrl. CSS hides it on devices that cannot hover.
 */
function Shortcut() {
  return (
    <kbd className={classes.shortcut} aria-hidden="true">
      {/Mac|iP/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K'}
    </kbd>
  );
}

async function toggleFullScreen(): Promise<void> {
  if (document.fullscreenElement) await document.exitFullscreen();
  else await document.documentElement.requestFullscreen();
}

/**
 * Keeps the office's loaded stores current. The event of a changed store has public fields only, so the store is
 * refetched with the staff's fields.
 */
export function StoresUpdater() {
  useChannel<{ 'store.updated': { store: Store; is_deleted?: true } }>(
    STORES_CHANNEL,
    {
      'store.updated': ({ store, is_deleted: isDeleted }) =>
        void (isDeleted ? refetchStores() : refetchStoresIfOlder(store)),
    },
    { onCaughtUp: () => void refetchStores() },
  );
  return null;
}

function SchemeItem() {
  const isDark = useComputedColorScheme('light') === 'dark';
  const { setColorScheme } = useMantineColorScheme();
  return (
    <Menu.Item
      leftSection={<Icon name={isDark ? 'sun' : 'moon'} />}
      onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
    >
      {isDark ? m.office_light() : m.office_dark()}
    </Menu.Item>
  );
}

// The dialog's code loads when somebody first opens it.
const code = () => import('#office/web/search-dialog.tsx');
const SearchDialog = lazy(async () => ({ default: (await code()).SearchDialog }));

interface SearchProps {
  store: Store;
  stores: readonly Store[];
  choose: (id: string) => void;
}

/**
 * The header's button that opens the search dialog. It looks like a search field, and on a phone like an icon. Ctrl+K
 * opens the dialog too, even while a field has the focus.
 */
function Search(props: SearchProps) {
  const [isAsked, setAsked] = useState(false);
  const open = (): void => {
    setAsked(true);
    openSearch();
  };
  useHotkeys([['mod+K', open]], []);
  return (
    <>
      <button type="button" className={classes.search} onClick={open}>
        <Icon name="search" />
        <span className={classes.searchWords}>{m.office_search()}</span>
        <Shortcut />
      </button>
      {isAsked && (
        <Suspense fallback={null}>
          <SearchDialog {...props} />
        </Suspense>
      )}
    </>
  );
}

/** Opens the search dialog. A failure to load its code is ignored here, because rendering `SearchDialog` fails, too. */
function openSearch(): void {
  code().then(
    ({ openSearchDialog }) => openSearchDialog(),
    () => undefined,
  );
}

let isLeaving = false;

/**
 * Signs out and opens the storefront. `isLeaving` stops the guard, which would otherwise redirect to the sign-in page
 * after the sign-out.
 */
async function signOutAndLeave(): Promise<void> {
  isLeaving = true;
  await signOut();
  location.assign('/');
}

export function GuardedPage({ access, children }: { access: PageAccess; children: ReactNode }) {
  const session = useSession();
  const decision = guardPage(access, session);
  const isWithoutAnswer = hasUserLookupFailed(session);
  const to = decision.kind === 'go' && !isWithoutAnswer ? decision.to : null;
  const remember = decision.kind === 'go' && decision.remember;
  useEffect(() => {
    if (to === null || isLeaving) return;
    if (remember) saveSignInReturnPath(location.pathname + location.search);
    location.replace(to);
  }, [to, remember]);
  useEffect(() => {
    if (!isWithoutAnswer) return undefined;
    const timer = setInterval(() => void reloadUser(), 5000);
    return () => clearInterval(timer);
  }, [isWithoutAnswer]);
  if (isWithoutAnswer)
    return <OfficeLoadFailure error={new ApiError(0, { code: 'offline' })} onRetry={() => void reloadUser()} />;
  return decision.kind === 'show' ? children : <LoadingState />;
}
