import type { PageData } from '#storefront/page-data.ts';

/** Reads what the server put in the page. */
export function readPageData(): PageData {
  const text = document.getElementById('page-data')?.textContent;
  if (!text) throw new Error('The page has no #page-data.');
  // Written by our own server, in the same release.
  return JSON.parse(text) as PageData;
}
