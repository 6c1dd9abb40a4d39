import { readPageData } from '#platform/web/page-data.ts';

/** Words that promise a mail, where the shop can send one; else the others. In the browser only. */
export function mailPromise<T>(promise: T, otherwise: T): T {
  return readPageData().config.sendsMail ? promise : otherwise;
}
