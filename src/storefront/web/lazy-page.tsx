import { type ComponentType, lazy, type ReactNode } from 'react';
import { loadCode } from '#ui/web/lazy-part.ts';

export interface LazyPage {
  /** Loads the page's code in advance, so that `show` does not wait. */
  preload(): Promise<void>;
  show(): ReactNode;
}

export function lazyPage(load: () => Promise<ComponentType>): LazyPage {
  let Loaded: ComponentType | null = null;
  const preload = async () => {
    Loaded = await load();
  };
  const Later = lazy(async () => ({ default: await loadCode(load) }));
  return { preload, show: () => (Loaded ? <Loaded /> : <Later />) };
}

/** A page in a separate chunk. All such pages share one query cache. */
export function lazyQueryPage(load: () => Promise<ComponentType>): LazyPage {
  return lazyPage(async () => {
    const [Page, { withQueryCache }] = await Promise.all([load(), import('#shop/web/queries.tsx')]);
    return withQueryCache(Page);
  });
}
