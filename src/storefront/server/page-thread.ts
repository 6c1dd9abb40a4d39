import type { SignInChoice } from '#accounts/sign-in-kinds.ts';
import { createIdleThread } from '#platform/server/idle-thread.ts';
import type { PageShop, WantedPage } from '#storefront/server/page-html.ts';
import type { PageConfig } from '#storefront/server/services.ts';

export interface PageThread {
  /** The page's HTML. Throws when the thread cannot write it. */
  write(shop: PageShop, wanted: WantedPage): Promise<string>;
  stop(): Promise<void>;
}

/** What the thread is given at its start. */
export interface ThreadData {
  config: PageConfig;
  realtimeKey: string;
}
export interface PageQuestion {
  shop: PageShop;
  wanted: WantedPage;
  signIn: SignInChoice[];
}

/**
 * Renders pages outside the thread that answers requests: rendering a long menu takes as long as answering hundreds of
 * them.
 */
export function startPageThread(config: PageConfig, realtimeKey: string, signIn: () => SignInChoice[]): PageThread {
  const thread = createIdleThread<PageQuestion, string>({
    module: new URL('./page-worker.ts', import.meta.url),
    task: 'writes pages',
    workerData: { config: plainConfig(config), realtimeKey } satisfies ThreadData,
    // A menu of a thousand dishes fits.
    maxOldGenerationSizeMb: 192,
  });
  return {
    write: ({ store, menus, version }, wanted) =>
      thread.ask({ shop: { store, menus, version }, wanted, signIn: signIn() }),
    stop: thread.stop,
  };
}

/** Without what a thread cannot be given, and without secrets that it does not need. */
function plainConfig(config: PageConfig): PageConfig {
  const { publicUrl, APP_URL, API_URL, STORE_NAME, MAP_TILES_URL, MAP_ATTRIBUTION } = config;
  return { publicUrl, APP_URL, API_URL, STORE_NAME, MAP_TILES_URL, MAP_ATTRIBUTION };
}
