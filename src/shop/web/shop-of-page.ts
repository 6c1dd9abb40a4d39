import { unpackMenus } from '#menu/packed-menus.ts';
import type { PageShop, PackedShop } from '#shop/public-shop.ts';
import type { Store } from '#store/contract.ts';

interface CameWith {
  /** Where the shop is that the server rendered the page with; null for a page that it did not render. */
  shopUrl: string | null;
  /** The store, on a page that comes without its menu. */
  store: Store | null;
}

/** The server's shop of the page; null without one, or if its version is gone. */
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
