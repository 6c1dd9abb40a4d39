import { useEffect } from 'react';
import { m } from '#messages';
import { Link, navigate, usePath } from '#platform/web/navigation.tsx';
import { LoadingSkeleton } from '#ui/web/load-states.tsx';
import { shortPathRedirects } from '#storefront/short-path-redirects.ts';

/**
 * The page of unknown paths. It redirects shortened paths after a navigation in the browser; the server redirects if
 * this is the first page of a visit.
 */
export function NotFoundPage() {
  const moved = shortPathRedirects.get(usePath());
  useEffect(() => {
    if (moved) navigate(moved, { replace: true });
  }, [moved]);
  if (moved) return <LoadingSkeleton />;
  return (
    <div className="mx-auto grid max-w-xl flex-1 content-center justify-items-center gap-4 px-4 py-20 text-center">
      <p className="display text-7xl font-extrabold text-accent-text" aria-hidden="true">
        404
      </p>
      <h1 className="text-3xl">{m.platform_not_found_title()}</h1>
      <p className="text-ink-soft">{m.platform_not_found_words()}</p>
      <div className="flex flex-wrap justify-center gap-3">
        <Link href="/menu" className="btn btn-primary">
          {m.menu_see()}
        </Link>
        <Link href="/" className="btn btn-quiet">
          {m.platform_home()}
        </Link>
      </div>
    </div>
  );
}
