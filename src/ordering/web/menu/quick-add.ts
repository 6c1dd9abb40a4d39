import { dishConflicts } from '#menu/allergen-conflicts.ts';
import type { AllergenCode } from '#database/page-values.ts';
import type { Menu } from '#menu/menu-shapes.ts';
import { addBasketLine } from '#ordering/web/basket/basket-edits.ts';
import { countItemInBasket, readBasket } from '#ordering/web/basket/basket-store.ts';
import { announceBasketNews } from '#ordering/web/basket/lazy-basket.tsx';
import { cachedMenuIndex } from '#ordering/web/basket/basket-view.ts';
import { shopNow } from '#platform/web/clock.ts';
import type { Store } from '#store/contract.ts';
import { canPlaceOrder } from '#store/web/fulfilment.ts';
import { m } from '#messages';

interface QuickAddRequest {
  store: Store;
  menus: readonly Menu[];
  avoided: readonly AllergenCode[];
  itemId: string;
  /** Opens the dish's sheet. */
  open: () => void;
}

/** Adds one piece of a dish without choices. If anything is to be asked or refused, it opens the dish's sheet instead. */
export function quickAdd({ store, menus, avoided, itemId, open }: QuickAddRequest): void {
  const item = cachedMenuIndex(menus).items.get(itemId)?.item;
  const isTaking = canPlaceOrder(store, new Date(shopNow()));
  if (!item || !isTaking || dishConflicts(item, avoided).length > 0) return open();
  if (countItemInBasket(readBasket(), itemId) >= (item.max_per_order ?? 99)) return open();
  addBasketLine(store.id, {
    item_id: itemId,
    name: item.name,
    quantity: 1,
    note: '',
    options: [],
    seen_price: item.price,
  });
  announceBasketNews(m.ordering_basket_added({ dish: item.name, count: 1 }));
}
