import { isHistoryNavigation, InitialPathContext, Link, navigate, usePath } from '#platform/web/navigation.tsx';
import { type MouseEvent, type ReactNode, Suspense, use, useEffect, useRef, useState } from 'react';
import { m } from '#messages';
import { AccountMenu } from '#accounts/web/account-menu.tsx';
import { hasBasketLines, useDeferredBasketPart } from '#ordering/web/basket/basket-store.ts';
import { LazyOpenOrders, showsOpenOrders } from '#ordering/web/order/lazy-open-orders.tsx';
import { Icon } from '#ui/web/icon.tsx';
import { ErrorBoundary } from '#shop/web/error-boundary.tsx';
import { useShopLoader, useStoreIfLoaded } from '#shop/web/shop.ts';
import { currentLanguage, type Language, languages } from '#platform/language.ts';
import { nativeShell } from '#platform/web/native/native-shell.ts';
import { guardPage } from '#accounts/guard.ts';
import { hasUserLookupFailed, reloadUser, type Session, useSession } from '#accounts/web/session.ts';
import { saveSignInReturnPath } from '#accounts/web/sign-in-return-path.ts';
import { findPage, isOfficePath, type PageName } from '#pages.ts';
import { ApiError } from '#platform/web/api.ts';
import { LoadingSkeleton, LoadFailure } from '#ui/web/load-states.tsx';
import type { LazyPage } from '#storefront/web/lazy-page.tsx';
import { notFoundPage, prefetchCheckout, storefrontPages } from '#storefront/web/storefront-pages.tsx';

export function App({ path }: { path: string }) {
  return (
    <InitialPathContext value={path}>
      <Layout>
        <CurrentPage />
      </Layout>
    </InitialPathContext>
  );
}

function Layout({ children }: { children: ReactNode }) {
  const path = usePath();
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-2 focus:rounded-chip focus:bg-surface focus:p-3"
      >
        {m.platform_skip_to_content()}
      </a>
      <Header path={path} />
      <div id="notices" />
      <main id="content" tabIndex={-1} className="flex flex-1 flex-col outline-none">
        {showsOpenOrders(path) && <LazyOpenOrders prefetchCheckout={prefetchCheckout} />}
        {children}
      </main>
      <Footer />
    </div>
  );
}

function Header({ path }: { path: string }) {
  const { name } = useShopLoader();
  const store = useStoreIfLoaded();
  return (
    <header className="border-b border-line bg-paper">
      <div className="mx-auto flex min-h-16 max-w-page flex-wrap items-center gap-1 px-4 sm:gap-3 lg:px-8">
        <Link
          href="/"
          className="display flex min-h-11 flex-[1_1_8rem] items-center text-xl font-extrabold sm:text-2xl"
        >
          {store?.logo ? (
            <img src={store.logo} alt={store.name} className="h-10" />
          ) : (
            (store?.name ?? name) || m.platform_home()
          )}
        </Link>
        <nav aria-label={m.platform_main_navigation()} className="flex flex-wrap items-center sm:gap-1">
          {path !== '/menu' && (
            <Link href="/menu" className="flex min-h-11 items-center rounded-full px-3 font-semibold hover:bg-sunken">
              {m.menu_title()}
            </Link>
          )}
          <AccountMenu />
          {path !== '/checkout' && <BasketLink />}
        </nav>
      </div>
    </header>
  );
}

function BasketLink() {
  const count = useDeferredBasketPart(({ lines }) => lines.reduce((sum, line) => sum + line.quantity, 0));
  if (count === 0) return null;
  return (
    <Link
      href="/checkout"
      className="flex min-h-11 items-center gap-2 rounded-full border-2 border-accent-edge bg-accent px-4 font-bold text-accent-ink hover:bg-accent-strong"
      aria-label={m.ordering_basket_items({ count })}
    >
      <Icon name="basket" />
      <span className="num">{count}</span>
    </Link>
  );
}

/** The business's name and address, which the law requires wherever people order. */
function Footer() {
  const store = useStoreIfLoaded();
  // The menu's footer has more space below, because the basket bar covers the page's end.
  const isMenu = usePath() === '/menu';
  const hasBar = useDeferredBasketPart(hasBasketLines) && isMenu;
  if (!store) return null;
  const place = [store.address.line1, store.address.line2, store.address.city, store.address.postcode]
    .filter(Boolean)
    .join(', ');
  const links = [
    ['/menu', m.menu_title()],
    ['/allergens', m.store_allergens_title()],
    ['/terms', m.store_terms_title()],
    ['/privacy', m.store_privacy_title()],
    ['/complaint', m.complaints_title()],
    ['/app', m.app_release_page_title()],
  ] as const;
  const contacts = [
    [`tel:${store.phone.replaceAll(' ', '')}`, store.phone],
    [`mailto:${store.email}`, store.email],
  ].filter(([, words]) => words);
  return (
    <footer className={`border-t border-line bg-sunken ${hasBar ? 'pb-28 lg:pb-0' : ''}`}>
      <div className="mx-auto grid max-w-page gap-x-6 gap-y-4 px-4 py-8 text-sm sm:grid-cols-[1fr_auto] lg:px-8">
        <div className="grid content-start gap-1">
          <p className="display text-lg">{store.name}</p>
          {store.legal_name && store.legal_name !== store.name && <p>{m.store_run_by({ name: store.legal_name })}</p>}
          {place && <p>{place}</p>}
          {store.company_number && <p>{m.store_company_number({ number: store.company_number })}</p>}
          {store.vat_number && <p>{m.store_vat_number({ number: store.vat_number })}</p>}
          <p className="num flex flex-wrap gap-x-6">
            {contacts.map(([href, words]) => (
              <a key={href} href={href} className={linkLook}>
                {words}
              </a>
            ))}
          </p>
        </div>
        <nav aria-label={m.storefront_footer_navigation()} className="flex flex-wrap content-start gap-x-6">
          {links.map(([href, words]) => (
            <Link key={href} href={href} className={linkLook}>
              {words}
            </Link>
          ))}
        </nav>
        <LanguageSwitch />
      </div>
    </footer>
  );
}

const linkLook = 'link inline-flex min-h-11 items-center';

/** Links to the page in each language. Each language has a separate bundle. */
function LanguageSwitch() {
  const path = usePath();
  const current = currentLanguage();
  // The app has the pages of one language, so it hides the switch.
  if (nativeShell().app) return null;
  return (
    <nav aria-label={m.platform_language()} className="flex flex-wrap gap-x-6">
      {languages.map((language) => (
        <a
          key={language}
          href={`${path}?lang=${language}`}
          hrefLang={language}
          lang={language}
          aria-current={language === current ? 'true' : undefined}
          onClick={(event) => keepQuery(event, language)}
          className="link inline-flex min-h-11 items-center aria-[current]:text-ink aria-[current]:no-underline"
        >
          {names[language]()}
        </a>
      ))}
    </nav>
  );
}

const names: Record<Language, () => string> = { en: m.platform_language_en, pl: m.platform_language_pl };

/**
 * Adds the rest of the current URL, such as an order's secret, to a rendered link. The rendered link has only the path
 * and the language.
 */
function keepQuery(event: MouseEvent<HTMLAnchorElement>, language: Language): void {
  const address = new URL(location.href);
  address.searchParams.set('lang', language);
  event.currentTarget.href = address.href;
}

function CurrentPage() {
  const path = usePath();
  const found = findPage(path);
  useFreshStart(path);
  useTitle(found?.row.page ?? null);
  const isFirst = path === use(InitialPathContext);
  // A navigation may lead to an office path, whose page is in another bundle.
  if (!isFirst && isOfficePath(path)) return <OtherFace />;
  // The key resets the page's state when the path changes.
  if (!found) return <Shown key={path} page={notFoundPage} />;
  const { access, page } = found.row;
  return (
    <Guarded key={path} access={access} path={path}>
      <Shown page={storefrontPages[page]} />
    </Guarded>
  );
}

function Shown({ page }: { page: LazyPage }) {
  return (
    <ErrorBoundary>
      <Suspense fallback={<LoadingSkeleton />}>{page.show()}</Suspense>
    </ErrorBoundary>
  );
}

interface GuardedProps {
  access: Parameters<typeof guardPage>[0];
  path: string;
  children: ReactNode;
}

function Guarded({ access, path, children }: GuardedProps) {
  const session = useSession();
  const visitor = useVisitor(session);
  const decision = guardPage(access, access === 'guests' ? visitor : session);
  // If the look-up of the user failed, the visitor may be signed in, so the page does not redirect to the sign-in.
  const isWithoutAnswer = decision.kind === 'go' && decision.remember && hasUserLookupFailed(session);
  const destination = decision.kind === 'go' && !isWithoutAnswer ? decision.to : null;
  const isRemembered = decision.kind === 'go' && decision.remember;
  useEffect(() => {
    if (!destination) return;
    if (isRemembered) saveSignInReturnPath(path + location.search + location.hash);
    navigate(destination, { replace: true });
  }, [destination, isRemembered, path]);
  if (isWithoutAnswer)
    return <LoadFailure error={new ApiError(0, { code: 'offline' })} onRetry={() => void reloadUser()} />;
  return decision.kind === 'show' ? children : <LoadingSkeleton />;
}

/**
 * Returns the session as it was after the first look-up of the user. A sign-in on a page for guests does not change the
 * returned session, because that page itself redirects afterwards.
 */
function useVisitor(session: Session): Session {
  const [visitor, setVisitor] = useState(session);
  if (!visitor.initialized && session.initialized) {
    setVisitor(session);
    return session;
  }
  return visitor;
}

/** Scrolls a new page to its top, and focuses it for screen readers. */
function useFreshStart(path: string): void {
  const last = useRef(path);
  useEffect(() => {
    if (last.current === path) return;
    last.current = path;
    if (isHistoryNavigation()) return;
    document.getElementById('content')?.focus({ preventScroll: true });
    scrollTo({ top: 0, behavior: 'instant' });
  }, [path]);
}

/**
 * Sets the tab's title after a navigation. The server sets the title of the first page; an order's page adds its
 * number.
 */
function useTitle(page: PageName | null): void {
  const { name, isRendered } = useShopLoader();
  const isFirst = useRef(true);
  useEffect(() => {
    const isNamed = isFirst.current && isRendered;
    isFirst.current = false;
    if (isNamed) return undefined;
    let isLeft = false;
    // The titles are loaded lazily, because the first view already has its title.
    const titles = import('#storefront/web/page-titles.ts').catch(() => null);
    void titles.then((loaded) => {
      const words = page ? loaded?.pageTitles[page]() : m.platform_not_found_title();
      if (!isLeft) document.title = [words, name].filter(Boolean).join(' · ');
    });
    return () => {
      isLeft = true;
    };
  }, [name, page, isRendered]);
}

/** Reloads the path from the server, because the office is a separate bundle. */
function OtherFace() {
  useEffect(() => location.reload(), []);
  return <LoadingSkeleton />;
}
