import { ActionIcon, Button, Menu, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { createElement, lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { isUserUnknown, reloadUser, useSession } from '#accounts/web/session.ts';
import { m } from '#messages';
import { SideSheet } from '#ui/web/office/dialogs.tsx';
import { Icon } from '#ui/web/office/office-icon.tsx';
import { navigationGroups } from '#office/web/navigation.ts';
import classes from '#office/web/office-shell.module.css';
import { ShopControls } from '#office/web/shop-controls.tsx';
import { lazyPart } from '#ui/web/lazy-part.ts';
import { Empty, Trouble, Waiting } from '#ui/web/office/states.tsx';
import { useStores } from '#accounts/web/use-stores.ts';
import type { StaffStore, Store } from '#store/contract.ts';
import { refetchIfStoreOlder, refetchStores } from '#store/web/stores.ts';
import { STORES_CHANNEL } from '#store/channels.ts';
import { useChannel } from '#realtime/web/use-channel.ts';
import { useHotkeys } from '@mantine/hooks';
import { guardPage, type PageAccess } from '#accounts/guard.ts';
import { signOut } from '#accounts/web/sign-in-and-out.ts';
import { savePathForSignIn } from '#accounts/web/stored-path.ts';
import { ApiError } from '#platform/web/api.ts';

const devicePush = lazyPart(
  async () => (await import('#office/web/device-push.tsx')).DevicePush,
  () => null,
);

const installationFaults = lazyPart(
  async () => (await import('#office/web/installation-faults.tsx')).InstallationFaults,
  () => null,
);

const versions = lazyPart(
  async () => (await import('#office/web/versions.tsx')).VersionLabel,
  () => null,
);

interface ShellProps {
  children: (store: StaffStore) => ReactNode;
  /** Whether the page is on a wall screen, where it has few controls. */
  isFullScreen?: boolean;
}

export function OfficeShell({ children, isFullScreen = false }: ShellProps) {
  const { query, stores, store, choose } = useStores();
  const isOwner = useSession().role === 'admin';
  const [isGoToAsked, setGoToAsked] = useState(false);
  const [isPushAsked, setPushAsked] = useState(false);
  const { role } = useSession();
  const goTo = (): void => {
    setGoToAsked(true);
    openGoTo();
  };
  if (query.isPending) return <Waiting />;
  if (query.isError && !query.data) return <Trouble error={query.error} onRetry={() => void query.refetch()} />;
  if (!store) return <Empty title={m.office_no_store()}>{m.office_no_store_hint()}</Empty>;
  return (
    <div className={classes.shell} data-wall={isFullScreen || undefined}>
      <LiveStores />
      {isOwner && !isFullScreen && <GoTo needsAnswer={isGoToAsked} onAsk={goTo} stores={stores} choose={choose} />}
      <a className={classes.skip} href="#main">
        {m.office_skip()}
      </a>
      <header className={classes.header}>
        {!isFullScreen && <NavigationDrawer isOwner={isOwner} />}
        <StoreName store={store} stores={stores} choose={choose} />
        {!isFullScreen && <Navigation isOwner={isOwner} />}
        <ShopControls store={store} />
        <AccountMenu store={store} isFullScreen={isFullScreen} onGoTo={goTo} onPush={() => setPushAsked(true)} />
      </header>
      <main id="main" className={classes.main} tabIndex={-1}>
        {role === 'admin' && !isFullScreen && <Suspense>{createElement(installationFaults())}</Suspense>}
        {children(store)}
        <div id="layer" />
        {isPushAsked && <Suspense>{createElement(devicePush(), { onClose: () => setPushAsked(false) })}</Suspense>}
      </main>
    </div>
  );
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

/** `isOwner`: other staff have only the kitchen screen, and their own sign-in in the account's menu. */
interface NavigationProps {
  isOwner: boolean;
}

function Navigation({ isOwner }: NavigationProps) {
  const [path, go] = useLocation();
  const current = (to: string) => (path === to ? 'page' : undefined);
  return (
    <nav aria-label={m.office_navigation()} className={classes.navigation}>
      {isOwner && (
        <Link href="/store/orders" aria-current={current('/store/orders')}>
          {m.office_orders()}
        </Link>
      )}
      <Link href="/kitchen">{m.office_kitchen_screen()}</Link>
      {groupsFor(isOwner).map(({ label, links }) => (
        <Menu key={label} position="bottom-start">
          <Menu.Target>
            <button type="button" data-current={links.some((link) => link.path === path) || undefined}>
              {label}
              <Icon name="down" size="1em" />
            </button>
          </Menu.Target>
          <Menu.Dropdown>
            {links.map((link) => (
              <Menu.Item key={link.path} onClick={() => go(link.path)} aria-current={current(link.path)}>
                {link.label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      ))}
    </nav>
  );
}

/** A drawer with every page in one list, for a header without room for the navigation. */
function NavigationDrawer({ isOwner }: NavigationProps) {
  const [path] = useLocation();
  const [isOpen, setOpen] = useState(false);
  const link = (to: string, label: string) => (
    <Link key={to} href={to} aria-current={path === to ? 'page' : undefined} onClick={() => setOpen(false)}>
      {label}
    </Link>
  );
  return (
    <>
      <ActionIcon aria-label={m.office_all_pages()} className={classes.burger} onClick={() => setOpen(true)}>
        <Icon name="pages" />
      </ActionIcon>
      <SideSheet opened={isOpen} onClose={() => setOpen(false)} size="20rem" title={m.office_all_pages()}>
        <nav aria-label={m.office_navigation()} className={classes.pages}>
          {isOwner && link('/store/orders', m.office_orders())}
          {link('/kitchen', m.office_kitchen_screen())}
          {groupsFor(isOwner).map(({ label, links }) => (
            <section key={label} aria-label={label}>
              <h2>{label}</h2>
              {links.map((each) => link(each.path, each.label))}
            </section>
          ))}
        </nav>
      </SideSheet>
    </>
  );
}

const groupsFor = (isOwner: boolean) => (isOwner ? navigationGroups() : []);

interface AccountMenuProps {
  store: Store;
  isFullScreen: boolean;
  onGoTo: () => void;
  onPush: () => void;
}

function AccountMenu({ store, isFullScreen, onGoTo, onPush }: AccountMenuProps) {
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
        {!isFullScreen && role === 'admin' && (
          <Menu.Item leftSection={<Icon name="pages" />} rightSection={<Shortcut />} onClick={onGoTo}>
            {m.office_go_to()}
          </Menu.Item>
        )}
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
        {!isFullScreen && role === 'admin' && <OnboardingItem store={store} />}
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
 * The shortcut's keys: ⌘ on Apple's keyboards, otherwise Ctrl. CSS hides them on devices that cannot hover.
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

/** Keeps the office's loaded stores current. The event has the public view, so the staff's fields are fetched. */
function LiveStores() {
  useChannel<{ 'store.updated': { store: Store; is_deleted?: true } }>(
    STORES_CHANNEL,
    {
      'store.updated': ({ store, is_deleted: isDeleted }) =>
        void (isDeleted ? refetchStores() : refetchIfStoreOlder(store)),
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

/** The item of the owner's account menu that shows a dismissed onboarding list again. */
function OnboardingItem({ store }: { store: Store }) {
  const [, go] = useLocation();
  const show = async (): Promise<void> => {
    const { setOnboardingShown } = await import('#office/web/onboarding-query.ts');
    if (await setOnboardingShown(store.id, true)) go('/store/orders');
  };
  return (
    <Menu.Item leftSection={<Icon name="check" />} onClick={() => void show()}>
      {m.office_first_evening()}
    </Menu.Item>
  );
}

// The dialog's code loads when somebody first opens it.
const code = () => import('#office/web/go-to-dialog.tsx');
const GoToDialog = lazy(async () => ({ default: (await code()).GoToDialog }));

interface GoToProps {
  needsAnswer: boolean;
  onAsk: () => void;
  stores: readonly Store[];
  choose: (id: string) => void;
}

/** The dialog that opens any page or shop by letters of its name; Ctrl+K shows it, even from a field. */
function GoTo({ needsAnswer, onAsk, stores, choose }: GoToProps) {
  useHotkeys([['mod+K', onAsk]], []);
  if (!needsAnswer) return null;
  return (
    <Suspense fallback={null}>
      <GoToDialog stores={stores} choose={choose} />
    </Suspense>
  );
}

/** Opens the dialog for any page or shop. If its code cannot load, the page itself shows that. */
function openGoTo(): void {
  code().then(
    ({ openGoToDialog }) => openGoToDialog(),
    () => undefined,
  );
}

let isLeaving = false;

/** Signs out and goes to the storefront, before the guard can lead to the sign-in. */
async function signOutAndLeave(): Promise<void> {
  isLeaving = true;
  await signOut();
  location.assign('/');
}

/** Shows a page to visitors who may see it, and redirects others. */
export function GuardedPage({ access, children }: { access: PageAccess; children: ReactNode }) {
  const session = useSession();
  const decision = guardPage(access, session);
  const isWithoutAnswer = isUserUnknown(session);
  const to = decision.kind === 'go' && !isWithoutAnswer ? decision.to : null;
  const remember = decision.kind === 'go' && decision.remember;
  useEffect(() => {
    if (to === null || isLeaving) return;
    if (remember) savePathForSignIn(location.pathname + location.search);
    location.replace(to);
  }, [to, remember]);
  useEffect(() => {
    if (!isWithoutAnswer) return undefined;
    const timer = setInterval(() => void reloadUser(), 5000);
    return () => clearInterval(timer);
  }, [isWithoutAnswer]);
  if (isWithoutAnswer)
    return <Trouble error={new ApiError(0, { code: 'offline' })} onRetry={() => void reloadUser()} />;
  return decision.kind === 'show' ? children : <Waiting />;
}
