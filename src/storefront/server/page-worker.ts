import { workerData } from 'node:worker_threads';
import { answerQuestions } from '#platform/server/answer-questions.ts';
import { createPageHtml } from '#storefront/server/page-html.ts';
import type { PageQuestion, ThreadData } from '#storefront/server/page-thread.ts';

// Writes pages on a thread of its own, one after the other as they are asked for.

const { config, realtimeKey } = workerData as ThreadData;
let signIn: PageQuestion['signIn'] = [];
const html = await createPageHtml(config, realtimeKey, () => signIn);

answerQuestions<PageQuestion, string>(({ shop, wanted, ...now }) => {
  ({ signIn } = now);
  return html.shopPage(shop, wanted);
});
