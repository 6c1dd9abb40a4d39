import { readPageData } from '#platform/web/page-data.ts';

/**
 * Chooses the text that promises a mail if the shop has a mail server, or else the other text. Works in browsers only.
 */
export function mailPromiseText<T>(promise: T, otherwise: T): T {
  return readPageData().config.sendsMail ? promise : otherwise;
}
