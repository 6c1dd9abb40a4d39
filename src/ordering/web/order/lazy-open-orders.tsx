import { type ComponentType, useEffect, useState } from 'react';
import { personalStorageKeys } from '#accounts/web/person-keys.ts';
import { useSession } from '#accounts/web/session.ts';

/**
 * This browser's open orders, and the customer's usual orders. Their code is loaded after the first rendering, and only
 * if there may be such orders.
 */
export function LazyOpenOrders() {
  const [parts, setParts] = useState<{ Open?: ComponentType; Usual?: ComponentType }>({});
  const isCustomer = useSession().role === 'customer';
  useEffect(() => {
    if (!isCustomer && !hasStored('orderSessions') && !hasStored('favouriteDishes')) return;
    let isGone = false;
    const open = async () => {
      const [{ OpenOrderLinks }, { withQueryCache }] = await Promise.all([
        import('#ordering/web/order/open-orders.tsx'),
        import('#shop/web/queries.tsx'),
      ]);
      const Open = withQueryCache(OpenOrderLinks);
      if (!isGone) setParts({ Open });
      // The open orders are shown before this import, which may fail without a connection.
      const { UsualOrders } = await import('#ordering/web/order/usual-orders.tsx');
      if (!isGone) setParts({ Open, Usual: withQueryCache(UsualOrders) });
    };
    const timer = setTimeout(() => void open().catch(() => undefined), 600);
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [isCustomer]);
  return (
    <>
      <div role="status">{parts.Open && <parts.Open />}</div>
      {parts.Usual && <parts.Usual />}
    </>
  );
}

function hasStored(name: keyof typeof personalStorageKeys): boolean {
  try {
    return localStorage.getItem(personalStorageKeys[name]) !== null;
  } catch {
    return false;
  }
}
