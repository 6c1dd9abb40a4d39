import { useEffect } from 'react';
import { m } from '#messages';
import { Link } from '#platform/web/navigation.tsx';
import { LoadingSkeleton } from '#ui/web/load-states.tsx';
import { useStore } from '#shop/web/shop.ts';

/**
 * Redirects to the shop's review page after a navigation in the browser. The server redirects if this is the first page
 * of a visit.
 */
export function GoogleReviewPage() {
  const store = useStore();
  const url = store.google_review_url;
  const hasPage = url !== null && /^https?:/.test(url);
  useEffect(() => {
    if (hasPage) location.replace(url);
  }, [hasPage, url]);
  if (hasPage) return <LoadingSkeleton />;
  return (
    <div className="mx-auto grid max-w-md justify-items-start gap-4 px-4 py-16">
      <h1 className="text-3xl">{m.store_no_review_page()}</h1>
      <p className="text-ink-soft">{m.store_no_review_page_words({ name: store.name })}</p>
      <Link href="/" className="btn btn-primary">
        {m.platform_home()}
      </Link>
    </div>
  );
}
