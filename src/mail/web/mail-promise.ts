import { readPageData } from '#platform/web/page-data.ts';

/** A text that promises a mail if the shop sends it, otherwise the other. Browser only. */
export function mailPromise<T>(promise: T, otherwise: T): T {
  return readPageData().config.sendsMail ? promise : otherwise;
}
