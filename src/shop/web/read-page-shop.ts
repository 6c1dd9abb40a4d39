import { unpackMenus } from '#menu/packed-menus.ts';
import type { PageShop, PackedShop } from '#shop/public-shop.ts';
import type { Store } from '#store/contract.ts';

interface CameWith {
  /** The URL of the shop with which the server rendered the page; null for a page that it did not render. */
  shopUrl: string | null;
  /** The store, on a page that comes without its menu; otherwise null. */
  store: Store | null;
}

/** The shop that the server sent with the page; null if it sent none, or has a newer version by now. */
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
