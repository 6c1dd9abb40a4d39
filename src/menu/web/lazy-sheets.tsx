import { lazy, Suspense, useDeferredValue, useEffect } from 'react';
import { useSearch } from '#platform/web/navigation.tsx';

const load = async () =>
  (await Promise.all([import('#menu/web/menu-sheets.tsx'), import('../../storefront/web/more.css')]))[0];
const MenuSheets = lazy(async () => ({ default: (await load()).MenuSheets }));

/**
 * The sheets over a page. Their code is fetched as soon as the page stands, so that it is there before the first tap. A
 * tap is answered by the frame after it, in which what was tapped is pressed; the sheet is made behind that.
 */
export function LazySheets() {
  const search = useDeferredValue(useSearch());
  useEffect(() => {
    const timer = setTimeout(() => void load().catch(() => undefined), 200);
    return () => clearTimeout(timer);
  }, []);
  if (!/[?&](item|line|basket|filter)\b/.test(search)) return null;
  return (
    <Suspense fallback={null}>
      <MenuSheets query={search} />
    </Suspense>
  );
}
