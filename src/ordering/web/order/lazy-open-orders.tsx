import { type ComponentType, useEffect, useState } from 'react';
import { recentOrderIds } from '#ordering/web/order/stored-order-sessions.ts';
import { shopNow } from '#platform/web/clock.ts';

/**
 * Lists the open orders of this browser. Its code is loaded after the first rendering, and only if
 * there are orders.
 */
export function LazyOpenOrders() {
  const [Orders, setOrders] = useState<ComponentType | null>(null);
  useEffect(() => {
    if (recentOrderIds(new Date(shopNow())).length === 0) return;
    let isGone = false;
    const open = async () => {
      const [{ OpenOrderLinks }, { withQueryCache }] = await Promise.all([
        import('#ordering/web/order/open-orders.tsx'),
        import('#shop/web/queries.tsx'),
      ]);
      const Shown = withQueryCache(OpenOrderLinks);
      if (!isGone) setOrders(() => Shown);
    };
    const timer = setTimeout(() => void open().catch(() => undefined), 600);
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, []);
  return <div role="status">{Orders && <Orders />}</div>;
}
