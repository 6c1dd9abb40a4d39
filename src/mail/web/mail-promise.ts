import { readPageData } from '#platform/web/page-data.ts';

/**
 * Returns `promise`, a text that promises a mail, if the shop has a mail server, and otherwise `otherwise`. Works in
 * browsers only.
 */
export function mailPromiseText<T>(promise: T, otherwise: T): T {
  return readPageData().config.sendsMail ? promise : otherwise;
}
