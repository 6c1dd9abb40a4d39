import { Component, type ContextType, type ReactNode, Suspense, use, useEffect, useRef, useState } from 'react';
import { m } from '#messages';
import { guardPage } from '#accounts/guard.ts';
import { isCutOff, reloadUser, type Session, useSession } from '#accounts/web/session.ts';
import { storePath } from '#accounts/web/stored-path.ts';
import { findPage, isOfficePath, type PageName } from '#pages.ts';
import { ApiError } from '#platform/web/api.ts';
import { Loading, Trouble } from '#ui/web/trouble.tsx';
import type { LazyPage } from '#storefront/web/lazy-page.tsx';
import { ShopContext, useShopStore } from '#shop/web/shop.ts';
import { notFoundPage, storefrontPages } from '#storefront/web/storefront-pages.tsx';
import { cameBack, FirstPath, navigate, usePath } from '#platform/web/navigation.tsx';

/** Shows the page of the current path, with the guard from the table of pages. */
export function CurrentPage() {
  const path = usePath();
  const found = findPage(path);
  useFreshStart(path);
  useTitle(found?.row.page ?? null);
  const isFirst = path === use(FirstPath);
  // An office path on a loaded page; the server's first page is never one.
  if (!isFirst && isOfficePath(path)) return <OtherFace />;
  // A new key for a new page, so that nothing of the last one's state is carried over.
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
      <Suspense fallback={<Loading />}>{page.show()}</Suspense>
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
  // A person whose session could not be looked up is not sent to sign in again.
  const isWithoutAnswer = decision.kind === 'go' && decision.remember && isCutOff(session);
  const destination = decision.kind === 'go' && !isWithoutAnswer ? decision.to : null;
  const isRemembered = decision.kind === 'go' && decision.remember;
  useEffect(() => {
    if (!destination) return;
    if (isRemembered) storePath(path + location.search + location.hash);
    navigate(destination, { replace: true });
  }, [destination, isRemembered, path]);
  if (isWithoutAnswer)
    return <Trouble error={new ApiError(0, { code: 'offline' })} onRetry={() => void reloadUser()} />;
  return decision.kind === 'show' ? children : <Loading />;
}

/** A page for guests stays when its visitor signs in on it; it continues by itself. */
function useVisitor(session: Session): Session {
  const [visitor, setVisitor] = useState(session);
  if (!visitor.initialized && session.initialized) {
    setVisitor(session);
    return session;
  }
  return visitor;
}

/** A new page starts at its top, for screen readers too. */
function useFreshStart(path: string): void {
  const last = useRef(path);
  useEffect(() => {
    if (last.current === path) return;
    last.current = path;
    if (cameBack()) return;
    document.getElementById('content')?.focus({ preventScroll: true });
    scrollTo({ top: 0, behavior: 'instant' });
  }, [path]);
}

/** The server has named the first page; the browser names those that follow. An order's page adds its number by itself. */
function useTitle(page: PageName | null): void {
  const { name, isRendered } = useShopStore();
  const isFirst = useRef(true);
  useEffect(() => {
    const isNamed = isFirst.current && isRendered;
    isFirst.current = false;
    if (isNamed) return undefined;
    let isLeft = false;
    // The first view is named already, so it does not load the titles of the others.
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

/** The office is a bundle of its own: the path is loaded as a page. */
function OtherFace() {
  useEffect(() => location.reload(), []);
  return <Loading />;
}

/** The last error boundary. A shop that did not load is fetched again; anything else reloads the page. */
class ErrorBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  static override contextType = ShopContext;
  declare context: ContextType<typeof ShopContext>;
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    if (this.state.error === null) return this.props.children;
    return <Trouble error={this.state.error} onRetry={this.retry} />;
  }

  retry = () => {
    const shop = this.context;
    if (!shop || shop.read() || !shop.retry()) return location.reload();
    this.setState({ error: null });
  };
}
