import { createElement, Suspense, useDeferredValue, useEffect } from 'react';
import { m } from '#messages';
import { menuUrl } from '#ordering/web/menu/menu-filter.ts';
import type { QuickAddRequest } from '#ordering/web/menu/quick-add.ts';
import { navigate, usePath, useQueryString } from '#platform/web/navigation.tsx';
import { notify } from '#ui/web/notify.ts';
import { LoadingSkeleton } from '#ui/web/load-states.tsx';
import { hasCodeLoadFailed, lazyPart, loadCode } from '#ui/web/lazy-part.ts';

export const loadSheets = () => import('#ordering/web/menu/menu-sheets.tsx');
const menuSheets = lazyPart<{ query: string }>(async () => (await loadSheets()).MenuSheets, Missing);

/**
 * The sheets over a page. Their code is loaded right after the page, before the first tap. Their rendering is deferred,
 * so that the tapped element can show first that it is pressed.
 */
export function LazySheets() {
  const query = useDeferredValue(useQueryString());
  useEffect(() => {
    const timer = setTimeout(() => void loadSheets().catch(() => undefined), 200);
    return () => clearTimeout(timer);
  }, []);
  if (!/[?&](item|line|basket|categories|allergens|filter|code)\b/.test(query)) return null;
  return <Suspense fallback={<Coming />}>{createElement(menuSheets(), { query })}</Suspense>;
}

/** An empty sheet, shown while the code of a sheet is loading. */
function Coming() {
  return (
    <dialog open aria-label={m.platform_loading()} className="sheet">
      <LoadingSkeleton />
    </dialog>
  );
}

/** Replaces the sheets if their code cannot be loaded. Shows a notice, and removes the sheet from the address. */
function Missing() {
  const path = usePath();
  useEffect(() => {
    if (!hasCodeLoadFailed()) notify({ text: m.platform_offline() });
    navigate(menuUrl('', path), { replace: true });
  }, [path]);
  return null;
}

/** Adds a dish by one tap. If the code of the sheets does not load, the request opens the dish's sheet instead. */
export async function addDishByTap(request: QuickAddRequest): Promise<void> {
  const sheets = await loadCode(loadSheets).catch(() => null);
  // While the code was loading, the customer may have left the menu.
  if (location.pathname !== '/menu') return;
  if (sheets) sheets.quickAdd(request);
  else request.open();
}
