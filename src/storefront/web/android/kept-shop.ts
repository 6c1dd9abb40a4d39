import { packMenus, unpackMenus } from '#menu/packed-menus.ts';
import type { PackedShop, ShownShop } from '#shop/shown-shop.ts';

const cacheName = 'shop';
const address = '/kept-shop.json';

export interface KeptShop {
  shop: ShownShop;
  /** ISO 8601. */
  seenAt: string;
}

/** The shop as it was last seen in the app; null at first, and when it cannot be read. */
export async function readKeptShop(): Promise<KeptShop | null> {
  try {
    const found = await caches.match(address, { cacheName });
    if (!found) return null;
    // Written below, by this release or an older one.
    const { store, menus, seenAt } = (await found.json()) as PackedShop & { seenAt: string };
    return { shop: { store, menus: unpackMenus(menus) }, seenAt };
  } catch {
    return null;
  }
}

export async function keepShop({ store, menus }: ShownShop, seenAt: Date): Promise<void> {
  const cache = await caches.open(cacheName);
  const kept = { store, menus: packMenus(menus), seenAt: seenAt.toISOString() };
  await cache.put(address, new Response(JSON.stringify(kept), { headers: { 'content-type': 'application/json' } }));
}
