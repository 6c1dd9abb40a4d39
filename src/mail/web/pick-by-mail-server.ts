import { readPageData } from '#platform/web/page-data.ts';

/**
 * Returns `promise`, a text that announces a mail; without a mail server, returns `otherwise`. Works in browsers only.
 */
export function pickByMailServer<T>(promise: T, otherwise: T): T {
  return readPageData().config.sendsMail ? promise : otherwise;
}
