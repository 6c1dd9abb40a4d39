import { Worker } from 'node:worker_threads';
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
export interface PageRequest {
  id: number;
  shop: PageShop;
  wanted: WantedPage;
}
export type PageAnswer = { id: number; html: string } | { id: number; error: string };

/** Milliseconds without a page after which the thread ends and frees its memory. */
const idleFor = 30_000;

/**
 * Renders pages outside the thread that answers requests: rendering a long menu takes as long as answering hundreds of them.
 * It starts with the first requested page.
 */
export function startPageThread(config: PageConfig, realtimeKey: string): PageThread {
  let worker: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;
  const waiting = new Map<number, PromiseWithResolvers<string>>();

  const end = async (error: Error) => {
    const ending = worker;
    worker = null;
    clearTimeout(idle);
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
    await ending?.terminate();
  };
  const start = (): Worker => {
    const workerData: ThreadData = { config: plainConfig(config), realtimeKey };
    const started = new Worker(new URL('./page-worker.ts', import.meta.url), {
      workerData,
      // A menu of a thousand dishes fits; a smaller heap is collected sooner after each page.
      resourceLimits: { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 },
    });
    started.on('message', (answer: PageAnswer) => {
      const asked = waiting.get(answer.id);
      waiting.delete(answer.id);
      if ('html' in answer) asked?.resolve(answer.html);
      else asked?.reject(new Error(answer.error));
    });
    started.on('error', (error: Error) => void (started === worker && end(error)));
    started.on('exit', () => void (started === worker && end(new Error('The thread that writes pages has ended.'))));
    // It does not keep an otherwise idle process alive.
    started.unref();
    return started;
  };

  return {
    write({ store, menus, version }, wanted) {
      worker ??= start();
      clearTimeout(idle);
      idle = setTimeout(() => void end(new Error('idle')), idleFor).unref();
      const asked = Promise.withResolvers<string>();
      lastId += 1;
      waiting.set(lastId, asked);
      worker.postMessage({ id: lastId, shop: { store, menus, version }, wanted } satisfies PageRequest, []);
      return asked.promise;
    },
    stop: () => end(new Error('The shop is closing down.')),
  };
}

/** Without what a thread cannot be given, and without secrets that it does not need. */
function plainConfig(config: PageConfig): PageConfig {
  const { publicUrl, API_URL, STORE_NAME, MAP_TILES_URL, MAP_ATTRIBUTION, OIDC_ISSUER, OIDC_NAME } = config;
  return { publicUrl, API_URL, STORE_NAME, MAP_TILES_URL, MAP_ATTRIBUTION, OIDC_ISSUER, OIDC_NAME };
}
