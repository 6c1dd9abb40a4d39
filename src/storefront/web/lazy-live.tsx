import { type ComponentType, useEffect, useState } from 'react';
import { startSession } from '#accounts/web/session.ts';
import { useShopLoader } from '#shop/web/shop.ts';

/** Keeps the shown shop current. The code that does this is loaded after the page's code. */
export function LazyLiveShop() {
  const [Live, setLive] = useState<ComponentType | null>(null);
  const shop = useShopLoader();
  useEffect(() => {
    let isGone = false;
    const open = async () => {
      // If no page has needed the menus yet, they are not loaded here.
      if (shop.isAwaited() || shop.read()) {
        // The session starts first, because it decides whether a cached shop is refetched. `first` starts no second
        // load if a page already awaits the shop.
        await startSession();
        await shop.first().catch(() => new Promise<void>((resolve) => shop.subscribe(resolve)));
      }
      const { LiveShop } = await import('#storefront/web/live-shop.tsx');
      if (!isGone) setLive(() => LiveShop);
    };
    const timer = setTimeout(() => void open().catch(() => undefined), 500);
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [shop]);
  return Live && <Live />;
}
