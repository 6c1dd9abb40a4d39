import { unpackMenus } from '#menu/packed-menus.ts';
import type { PackedShop, PageData, ShownShop } from '#storefront/page-data.ts';

/** Reads what the server put in the page. */
export function readPageData(): PageData {
  const text = document.getElementById('page-data')?.textContent;
  if (!text) throw new Error('The page has no #page-data.');
  // Written by our own server, in the same release.
  return JSON.parse(text) as PageData;
}

/** The shop that the server rendered this page with; null when it rendered none, or that version is gone by now. */
export async function readRenderedShop({ shopUrl }: PageData): Promise<ShownShop | null> {
  if (!shopUrl) return null;
  try {
    const response = await fetch(shopUrl);
    if (!response.ok) return null;
    const packed = (await response.json()) as PackedShop;
    return { store: packed.store, menus: unpackMenus(packed.menus) };
  } catch {
    return null;
  }
}
