import { dishConflicts } from '#menu/allergen-conflicts.ts';
import { readSession } from '#accounts/web/session.ts';
import { isDishSoldOut } from '#menu/sold-out.ts';
import { addBasketLine } from '#ordering/web/basket/basket-edits.ts';
import { countItemInBasket, readBasket } from '#ordering/web/basket/basket-store.ts';
import { announceBasketChange } from '#ordering/web/basket/lazy-basket.tsx';
import { getCachedMenuIndex } from '#ordering/web/basket/basket-view.ts';
import { readAvoidedAllergens } from '#ordering/web/menu/avoided-allergens.ts';
import { readToken } from '#platform/web/api.ts';
import { shopNow } from '#platform/web/clock.ts';
import type { PublicShop } from '#shop/public-shop.ts';
import { canPlaceOrder } from '#store/web/fulfilment.ts';
import { m } from '#messages';

export interface QuickAddRequest extends PublicShop {
  itemId: string;
  /** Opens the dish's sheet. */
  open: () => void;
}

/** Adds one piece of a dish without choices. If anything must be asked or refused, opens the dish's sheet instead. */
export function quickAdd({ store, menus, itemId, open }: QuickAddRequest): void {
  const item = getCachedMenuIndex(menus).items.get(itemId)?.item;
  const now = new Date(shopNow());
  if (!item || isDishSoldOut(item, now) || !canPlaceOrder(store, now)) return open();
  // Until the signed-in customer is known, their allergies are unknown.
  const isCustomerUnknown = readToken() !== null && !readSession().user;
  if (isCustomerUnknown || dishConflicts(item, readAvoidedAllergens()).length > 0) return open();
  if (countItemInBasket(readBasket(), itemId) >= (item.max_per_order ?? 99)) return open();
  addBasketLine(store.id, {
    item_id: itemId,
    name: item.name,
    quantity: 1,
    note: '',
    options: [],
    seen_price: item.price,
  });
  announceBasketChange(m.ordering_basket_added({ dish: item.name, count: 1 }));
}
