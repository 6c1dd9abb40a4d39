import { type ComponentType, lazy, type ReactNode } from 'react';
import { ApiError } from '#platform/web/api.ts';
import { doesShopRespond, loadCode, whileShopResponds } from '#ui/web/lazy-part.ts';

export interface LazyPage {
  /** Loads the page's code in advance, so that `show` does not wait. */
  preload(): Promise<void>;
  show(): ReactNode;
}

export function lazyPage(load: () => Promise<ComponentType>): LazyPage {
  let Loaded: ComponentType | null = null;
  let preloaded: Promise<ComponentType> | null = null;
  const preload = async () => {
    preloaded ??= load();
    Loaded = await preloaded;
  };
  const Later = lazy(async () => ({ default: await (preloaded ? waitForPreload(preloaded) : loadCode(load)) }));
  return { preload, show: () => (Loaded ? <Loaded /> : <Later />) };
}

/**
 * Reloads the page after a failed preload, if the shop responds. The build's loader requests each style sheet only once,
 * so a second `load` would succeed without the styles. Throws `ApiError` `offline` if the shop does not respond.
 */
async function waitForPreload(preloaded: Promise<ComponentType>): Promise<ComponentType> {
  try {
    return await whileShopResponds(preloaded);
  } catch (error) {
    if (error instanceof ApiError || !(await doesShopRespond())) throw new ApiError(0, { code: 'offline' });
    location.reload();
    return new Promise(() => undefined);
  }
}

/** A page in a separate chunk. All such pages share one query cache. */
export function lazyQueryPage(load: () => Promise<ComponentType>): LazyPage {
  return lazyPage(async () => {
    const [Page, { withQueryCache }] = await Promise.all([load(), import('#shop/web/queries.tsx')]);
    return withQueryCache(Page);
  });
}
