import { unpackMenus } from '#menu/packed-menus.ts';
import type { PageShop, PackedShop } from '#shop/public-shop.ts';
import type { Store } from '#store/contract.ts';

interface CameWith {
  /** The URL of the store and menus with which the server rendered the page; null on a page without menus. */
  shopUrl: string | null;
  /** The store, on a page that the server sent without the menu; otherwise null. */
  store: Store | null;
}

/**
 * Returns the shop that the server sent with the page. Returns null if the server sent none, or if the fetch fails, for
 * example because the shop has changed since.
 */
export async function readPageShop({ shopUrl, store }: CameWith): Promise<PageShop | null> {
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
