import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { QueryClientProvider } from '@tanstack/react-query';
import {
  Component,
  type ComponentType,
  createElement,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useMemo,
} from 'react';
import { useLocation } from 'wouter';
import { ProofPrompt } from '#accounts/web/factors/proof-prompt.tsx';
import { useBoardLanguage } from '#kitchen/web/board/use-board-settings.ts';
import { m } from '#messages';
import { GuardedPage, OfficeShell } from '#office/web/office-shell.tsx';
import { Notices } from '#ui/web/office/office-notices.tsx';
import { queryClient } from '#ui/web/office/query-client.ts';
import { mantineVariables, mantineTheme } from '#office/web/theme.ts';
import { lazyPart } from '#ui/web/lazy-part.ts';
import { OfficeLoadFailure, LoadingState } from '#ui/web/office/states.tsx';
import { findOfficePage, type OfficePageName } from '#office-pages.ts';
import type { StaffStore } from '#store/contract.ts';
import { openStatuses } from '#ordering/order-status.ts';
import { api } from '#platform/web/api.ts';
import { type CountOpenOrders, CountOpenOrdersContext } from '#store/web/confirm-service-end.ts';
import { createBrowserRealtime } from '#realtime/web/browser.ts';
import { RealtimeContext } from '#realtime/web/use-channel.ts';
import { readPageData } from '#platform/web/page-data.ts';
import { useScreenLanguage } from '#platform/web/screen-language.ts';

// The board's code loads while the server still looks up the user.
const boardCode = import('#kitchen/web/board/order-board.tsx');
boardCode.catch(() => undefined); // Rendering the board reports the error.
const OrderBoard = lazy(async () => ({ default: (await boardCode).OrderBoard }));

const onboarding = lazyPart(
  async () => (await import('#office/web/onboarding-band.tsx')).OnboardingBand,
  () => null,
);

const ownerAsked = lazyPart(
  async () => (await import('#office/web/owner-prompt.tsx')).OwnerPrompt,
  () => null,
);

const WallPage = lazy(async () => ({ default: (await import('#office/web/wall-page.tsx')).WallPage }));

const listPages = () => import('#menu/web/lists/list-pages.tsx');

const shown: Record<OfficePageName, () => ReactNode> = {
  storeOrders: () => (
    <OfficeShell>
      {(store) => (
        <>
          <Suspense>{createElement(onboarding(), { store, key: store.id })}</Suspense>
          <OrderBoard key={store.id} store={store} face="office" />
        </>
      )}
    </OfficeShell>
  ),
  guidedSetUp: officePage(
    async () => (await import('#office/web/guided-set-up/guided-set-up-page.tsx')).GuidedSetUpPage,
    'quiet',
  ),
  manage: officePage(async () => (await import('#store/web/manage/manage-page.tsx')).ManagePage),
  menuEditor: officePage(async () => (await import('#menu/web/editor/menu-editor-page.tsx')).MenuEditorPage, 'quiet'),
  stores: officePage(async () => (await import('#store/web/lists/stores-page.tsx')).StoresPage),
  menus: officePage(async () => (await listPages()).MenusPage),
  categories: officePage(async () => (await listPages()).CategoriesPage),
  items: officePage(async () => (await listPages()).ItemsPage),
  options: officePage(async () => (await listPages()).OptionsPage),
  optionGroups: officePage(async () => (await listPages()).OptionGroupsPage),
  importMenu: officePage(async () => (await import('#menu/web/import/import-page.tsx')).MenuImportPage, 'quiet'),
  paper: officePage(async () => (await import('#office/web/paper/paper-page.tsx')).PaperPage, 'quiet'),
  offers: officePage(async () => (await import('#offers/web/offers-page.tsx')).OffersPage),
  reports: officePage(async () => (await import('#reports/web/reports-page.tsx')).ReportsPage),
  payments: officePage(async () => (await import('#payment/web/payments-page.tsx')).PaymentsPage),
  paymentSetup: officePage(async () => (await import('#payment/web/setup/setup-page.tsx')).PaymentSetupPage),
  printers: officePage(async () => (await import('#printing/web/printers-page.tsx')).PrintersPage),
  customers: officePage(async () => (await import('#people/web/customers-page.tsx')).CustomersPage),
  staff: officePage(async () => (await import('#people/web/staff-page.tsx')).StaffPage),
  factors: officePage(async () => (await import('#accounts/web/factors/factors-page.tsx')).FactorsPage, 'quiet'),
  signIn: officePage(
    async () => (await import('#accounts/web/providers/sign-in-providers-page.tsx')).SignInProvidersPage,
  ),
  devices: officePage(async () => (await import('#accounts/web/devices/devices-page.tsx')).DevicesPage),
  releases: officePage(async () => (await import('#app-release/web/releases-page.tsx')).AppReleasesPage),
  audit: officePage(async () => (await import('#audit/web/audit-page.tsx')).AuditPage),
  complaints: officePage(async () => (await import('#complaints/web/complaints-page.tsx')).ComplaintsPage),
  ratings: officePage(async () => (await import('#complaints/web/ratings-page.tsx')).RatingsPage),
  backups: officePage(async () => (await import('#backup/web/backups-page.tsx')).BackupsPage),
  restored: officePage(async () => (await import('#backup/web/restored-page.tsx')).RestoredPage, 'quiet'),
  recoverySheet: officePage(
    async () => (await import('#backup/web/place/recovery-sheet.tsx')).RecoverySheetPage,
    'quiet',
  ),
  mail: officePage(async () => (await import('#mail/web/mail-page.tsx')).MailPage),
  kitchenWall: () => <WallPage shows="kitchenWall" />,
  readyNumbers: () => <WallPage shows="readyNumbers" />,
  kitchen: () => (
    <OfficeShell isFullScreen>{(store) => <OrderBoard key={store.id} store={store} face="wall" />}</OfficeShell>
  ),
};

const schemes = {
  office: localStorageColorSchemeManager({ key: 'office_scheme' }),
  wall: localStorageColorSchemeManager({ key: 'kitchen_scheme' }),
};

/**
 * The props of `confirm` dialogs. `confirm` itself restores the focus. There is no closing transition, so that an
 * answered question disappears at once.
 */
const questionProps = () => ({
  returnFocus: false,
  closeButtonProps: { 'aria-label': m.platform_close() },
  transitionProps: { exitDuration: 0 },
});

const countOpenOrders: CountOpenOrders = async (storeId) => {
  const wanted = { store_id: storeId, status: openStatuses.join(), per_page: 1 };
  const { meta } = await api('GET /v1/orders', wanted, { timeout: 5_000 });
  return meta.total;
};

/**
 * A lazy page for the chosen store, with reminders for the owner above the page. `quiet`: the page shows only one
 * reminder, the link back to the set-up, and only if the URL has `back=`.
 */
function officePage(load: () => Promise<ComponentType<{ store: StaffStore }>>, quiet?: 'quiet'): () => ReactNode {
  const Page = lazy(async () => ({ default: await load() }));
  return () => (
    <OfficeShell>
      {(store) => (
        <Suspense fallback={<LoadingState />}>
          {(quiet === undefined || location.search.includes('back=')) && createElement(ownerAsked(), { store })}
          <CountOpenOrdersContext value={countOpenOrders}>
            <Page key={store.id} store={store} />
          </CountOpenOrdersContext>
        </Suspense>
      )}
    </OfficeShell>
  );
}

/** The staff's front end. It is rendered in the browser only: the server sends an empty page. */
export function OfficeApp() {
  const [path] = useLocation();
  const found = findOfficePage(path);
  // These pages are for screens on a wall, so they are dark by default. All other pages follow the device's setting.
  const isWall = /^\/kitchen(\/wall|\/ready)?$/.test(found?.path ?? '');
  useBoardLanguage(isWall && path !== '/kitchen/ready');
  // After a change of language everything below renders again without being remounted.
  useScreenLanguage();
  return (
    <QueryClientProvider client={queryClient}>
      <MantineProvider
        key={isWall ? 'wall' : 'office'}
        theme={mantineTheme}
        cssVariablesResolver={mantineVariables}
        defaultColorScheme={isWall ? 'dark' : 'auto'}
        colorSchemeManager={isWall ? schemes.wall : schemes.office}
      >
        <ModalsProvider modalProps={questionProps()}>
          <CrashGuard>
            <LiveOffice isBoard={isWall || found?.path === '/store/orders'}>
              <Suspense fallback={<LoadingState />}>
                {found ? (
                  <GuardedPage access={found.row.access}>{shown[found.row.page]()}</GuardedPage>
                ) : (
                  <LeaveOffice />
                )}
              </Suspense>
            </LiveOffice>
          </CrashGuard>
          <ProofPrompt />
        </ModalsProvider>
        <Notices />
      </MantineProvider>
    </QueryClientProvider>
  );
}

/** Reloads the page for a path outside the office, because only the server can send the storefront's page. */
function LeaveOffice() {
  location.reload();
  return <LoadingState />;
}

/** Provides the page's realtime client. On an order board it detects a half-open connection sooner. */
function LiveOffice({ isBoard, children }: { isBoard: boolean; children: ReactNode }) {
  const realtime = useMemo(() => createBrowserRealtime(readPageData().config, { isWatched: isBoard }), [isBoard]);
  useEffect(() => () => realtime.close(), [realtime]);
  return <RealtimeContext value={realtime}>{children}</RealtimeContext>;
}

/** Offers a reload after a failed load or render, so that a board is never empty. */
class CrashGuard extends Component<{ children: ReactNode }, { error: unknown }> {
  override state = { error: null };

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children;
    return <OfficeLoadFailure error={this.state.error} onRetry={() => location.reload()} />;
  }
}
