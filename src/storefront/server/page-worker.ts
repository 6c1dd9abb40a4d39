import { workerData } from 'node:worker_threads';
import { answerThread } from '#platform/server/answer-thread.ts';
import { createPageHtml } from '#storefront/server/page-html.ts';
import type { PageQuestion, ThreadData } from '#storefront/server/page-thread.ts';

// Writes pages on a thread of its own, one after the other as they are asked for.

const { config, realtimeKey } = workerData as ThreadData;
const html = await createPageHtml(config, realtimeKey);

answerThread<PageQuestion, string>(({ shop, wanted }) => html.shopPage(shop, wanted));
