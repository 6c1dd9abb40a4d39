import type { ReactNode } from 'react';
import { m } from '#messages';
import { AccountMenu } from '#accounts/web/account-menu.tsx';
import { useSettledPart } from '#ordering/web/basket-store.ts';
import { LazyOpenOrders } from '#ordering/web/lazy-open-orders.tsx';
import { Icon } from '#ui/web/icon.tsx';
import { Footer } from '#storefront/web/footer.tsx';
import { useShopStore, useStoreIfLoaded } from '#shop/web/shop.ts';
import { Link, usePath } from '#platform/web/navigation.tsx';

/** What stands around every page of the storefront. */
export function Layout({ children }: { children: ReactNode }) {
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
