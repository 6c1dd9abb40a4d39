import { FirstPath, Link, usePath } from '#platform/web/navigation.tsx';
import { CurrentPage } from '#storefront/web/router.tsx';
import type { MouseEvent, ReactNode } from 'react';
import { m } from '#messages';
import { AccountMenu } from '#accounts/web/account-menu.tsx';
import { hasLines, useSettledPart } from '#ordering/web/basket-store.ts';
import { LazyOpenOrders } from '#ordering/web/lazy-open-orders.tsx';
import { Icon } from '#ui/web/icon.tsx';
import { useShopStore, useStoreIfLoaded } from '#shop/web/shop.ts';
import { currentLanguage, type Language, languages } from '#platform/language.ts';
import { nativeShell } from '#platform/web/native/native-shell.ts';

/** The storefront, on the server and in the browser. */
export function App({ path }: { path: string }) {
  return (
    <FirstPath value={path}>
      <Layout>
        <CurrentPage />
      </Layout>
    </FirstPath>
  );
}

/** The frame of every page of the storefront. */
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
        {(path === '/' || path === '/menu') && <LazyOpenOrders />}
        {children}
      </main>
      <Footer />
    </div>
  );
}

function Header({ path }: { path: string }) {
  const { name } = useShopStore();
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
  const count = useSettledPart(({ lines }) => lines.reduce((sum, line) => sum + line.quantity, 0));
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

/** The business's name and address: the law wants them where people order. */
function Footer() {
  const store = useStoreIfLoaded();
  // The basket's bar lies over the end of the menu.
  const isMenu = usePath() === '/menu';
  const hasBar = useSettledPart(hasLines) && isMenu;
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

/** The same page in every language: real links, since each language is a bundle of its own. */
function LanguageSwitch() {
  const path = usePath();
  const current = currentLanguage();
  // The app has the pages of one language.
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

/** The rendered link knows the path only; the rest of the address, such as an order's secret, stays. */
function keepQuery(event: MouseEvent<HTMLAnchorElement>, language: Language): void {
  const address = new URL(location.href);
  address.searchParams.set('lang', language);
  event.currentTarget.href = address.href;
}
