import { type ComponentType, lazy, type ReactNode } from 'react';

export interface LazyPage {
  /** Fetches the page's code, so that `show` needs no waiting. */
  preload(): Promise<void>;
  show(): ReactNode;
}

/** A page in a chunk of its own. */
export function lazyPage(load: () => Promise<ComponentType>): LazyPage {
  let Loaded: ComponentType | null = null;
  const preload = async () => {
    Loaded = await load();
  };
  const Later = lazy(async () => ({ default: await loadOrReload(load) }));
  return { preload, show: () => (Loaded ? <Loaded /> : <Later />) };
}

/** The same, with the styles and the query cache that the pages share which are not part of a first view. */
export function lazyQueryPage(load: () => Promise<ComponentType>): LazyPage {
  return lazyPage(async () => {
    const [Page, { withQueries }] = await Promise.all([
      load(),
      import('#storefront/web/queries.tsx'),
      import('./more.css'),
    ]);
    return withQueries(Page);
  });
}

/** When the chunk is gone because a new release came out, the page is loaded anew, once. */
async function loadOrReload(load: () => Promise<ComponentType>): Promise<ComponentType> {
  const key = 'reloaded_for_release';
  try {
    return await load();
  } catch (error) {
    if (sessionStorage.getItem(key) === location.pathname) throw error;
    sessionStorage.setItem(key, location.pathname);
    location.reload();
    return new Promise<never>(() => {});
  }
}
