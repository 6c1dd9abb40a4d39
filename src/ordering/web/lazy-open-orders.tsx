import { type ComponentType, useEffect, useState } from 'react';
import { recentOrderIds } from '#ordering/web/order-sessions.ts';

/**
 * Where the orders that this browser waits for are named. Their code is fetched once the page stands, and only where
 * something was ordered.
 */
export function LazyOpenOrders() {
  const [Orders, setOrders] = useState<ComponentType | null>(null);
  useEffect(() => {
    if (recentOrderIds(new Date()).length === 0) return;
    let isGone = false;
    const open = async () => {
      const [{ OpenOrders }, { withQueries }] = await Promise.all([
        import('#ordering/web/open-orders.tsx'),
        import('#shop/web/queries.tsx'),
      ]);
      const Shown = withQueries(OpenOrders);
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
