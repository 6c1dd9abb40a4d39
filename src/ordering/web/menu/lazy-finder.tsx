import { startTransition, useCallback, useEffect, useMemo, useState } from 'react';
import { m } from '#messages';
import type { Finder, StatusProps } from '#ordering/web/menu/finder/finder.tsx';
import type { ShownCategory } from '#ordering/web/menu/menu-filter.ts';
import { loadCode } from '#ui/web/late-part.ts';

type Ready = Pick<Finder, 'narrow' | 'find' | 'Status'> & { of: unknown };

const load = () => import('#ordering/web/menu/finder/finder.tsx');

/** The search, which is loaded once somebody looks for a dish. */
export function useFinder(categories: readonly ShownCategory[], isWanted: boolean): Finder {
  const [ready, setReady] = useState<Ready | null>(null);
  const [hasFailed, setFailed] = useState(false);
  const prepare = useCallback(() => {
    afterFrame()
      .then(() => loadCode(load))
      .then(async ({ FoundWords, prepareSearch }) => {
        setReady({ ...(await prepareSearch(categories)), Status: FoundWords, of: categories });
        setFailed(false);
      })
      .catch(() => setFailed(true));
  }, [categories]);
  const isStale = ready !== null && ready.of !== categories;
  useEffect(() => {
    if (isWanted || isStale) prepare();
  }, [isWanted, isStale, prepare]);
  return useMemo(() => ({ ...(ready ?? notReady), prepare, hasFailed }), [ready, prepare, hasFailed]);
}

/** More than a phone shows above its keyboard, and as many as a slow one can draw at each letter. */
const fewFound = 4;
const restMs = 300;

/** The search's results, and while letters come the best of them: the others follow when typing stops (debounce). */
export function useRestedFound(found: ShownCategory[] | null): ShownCategory[] | null {
  const [rested, setRested] = useState(found);
  useEffect(() => {
    const timer = setTimeout(() => startTransition(() => setRested(found)), restMs);
    return () => clearTimeout(timer);
  }, [found]);
  return useMemo(() => {
    if (!found || found === rested) return found;
    return found.map((category) => ({ ...category, items: category.items.slice(0, fewFound) }));
  }, [found, rested]);
}

/** The field has its cursor first: preparing is work that a slow phone would feel. */
function afterFrame(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
}

/** How many dishes are left, said to eyes and ears, and the way back to all of them. */
export function FoundStatus({ finder, ...found }: StatusProps & { finder: Finder }) {
  if (finder.Status) return <finder.Status {...found} />;
  return (
    <div role="status">
      {finder.hasFailed && (
        <p className="pb-4">
          {m.menu_search_failed()}{' '}
          <button type="button" className="link min-h-11" onClick={finder.prepare}>
            {m.platform_retry()}
          </button>
        </p>
      )}
    </div>
  );
}

const notReady: Omit<Ready, 'of'> = { narrow: (categories) => categories, find: () => null, Status: null };
