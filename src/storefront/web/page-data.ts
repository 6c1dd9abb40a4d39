import { unpackMenus } from '#menu/packed-menus.ts';
import type { HeldShop, PackedShop, PageData } from '#storefront/page-data.ts';

/** Reads what the server put in the page. */
export function readPageData(): PageData {
  const text = document.getElementById('page-data')?.textContent;
  if (!text) throw new Error('The page has no #page-data.');
  // Written by our own server, in the same release.
  return JSON.parse(text) as PageData;
}

/** What came with the page of the shop; null when nothing did, or when the version it was rendered with is gone by now. */
export async function readHeldShop({ shopUrl, store }: PageData): Promise<HeldShop | null> {
  if (!shopUrl) return store && { store };
  try {
    const response = await fetch(shopUrl);
    if (!response.ok) return null;
    const packed = (await response.json()) as PackedShop;
    return { store: packed.store, menus: unpackMenus(packed.menus) };
  } catch {
    return null;
  }
}
