import { parentPort, workerData } from 'node:worker_threads';
import { createPageHtml } from '#storefront/server/page-html.ts';
import type { PageAnswer, PageRequest, ThreadData } from '#storefront/server/page-thread.ts';

// Writes pages on a thread of its own, one after the other as they are asked for.

const { config, realtimeKey } = workerData as ThreadData;
const html = await createPageHtml(config, realtimeKey);

parentPort?.on('message', ({ id, shop, wanted }: PageRequest) => {
  parentPort?.postMessage(
    answer(id, () => html.shopPage(shop, wanted)),
    [],
  );
});

function answer(id: number, write: () => string): PageAnswer {
  try {
    return { id, html: write() };
  } catch (error) {
    return { id, error: String(error) };
  }
}
