import type { BrowserConfig } from '#platform/browser-config.ts';

/** Reads the server's data in the page. The type covers data beyond the settings. */
export function readPageData<More extends object = object>(): { config: BrowserConfig } & More {
  const text = document.getElementById('page-data')?.textContent;
  if (!text) throw new Error('The page has no #page-data.');
  // Written by the server of the same release.
  return JSON.parse(text) as { config: BrowserConfig } & More;
}
