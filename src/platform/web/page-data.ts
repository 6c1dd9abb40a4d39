import type { BrowserConfig } from '#platform/browser-config.ts';

/** Reads what the server put in the page. Who knows more of it than its settings says so. */
export function readPageData<More extends object = object>(): { config: BrowserConfig } & More {
  const text = document.getElementById('page-data')?.textContent;
  if (!text) throw new Error('The page has no #page-data.');
  // Written by our own server, in the same release.
  return JSON.parse(text) as { config: BrowserConfig } & More;
}
