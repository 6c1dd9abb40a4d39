import type { BrowserConfig } from '#platform/browser-config.ts';

/** Reads the data that the server put in the page. A caller that knows more than the settings passes its type. */
export function readPageData<More extends object = object>(): { config: BrowserConfig } & More {
  const text = document.getElementById('page-data')?.textContent;
  if (!text) throw new Error('The page has no #page-data.');
  // Written by our own server, in the same release.
  return JSON.parse(text) as { config: BrowserConfig } & More;
}
