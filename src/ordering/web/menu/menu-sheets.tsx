import { useEffect, useState } from 'react';
import { m } from '#messages';
import { FilterSheet } from '#ordering/web/menu/finder/filter-sheet.tsx';
import { ItemSheet } from '#ordering/web/menu/item-sheet.tsx';
import { menuUrl, sheetOpener } from '#ordering/web/menu/menu-filter.ts';
import { BasketSheet } from '#ordering/web/basket-sheet.tsx';
import { useHeldLine } from '#ordering/web/basket-store.ts';
import { menuIndexOf } from '#ordering/web/basket-view.ts';
import { Sheet } from '#ui/web/sheet.tsx';
import { useShop } from '#shop/web/shop.ts';
import { navigate, usePath } from '#platform/web/navigation.tsx';

/**
 * The sheets over a page, by its address: `?item=` a dish, `?line=` a line of the basket to change, `?basket` the
 * basket, `?filter` the menu's filters. So Back closes them, and a link opens them.
 */
export function MenuSheets({ query }: { query: string }) {
  const search = new URLSearchParams(query);
  const { store, menus } = useShop();
  const close = useSheetCloser();
  useFocusBack(search.get('item'));
  const line = useHeldLine(search.get('line'));
  const itemId = line?.item_id ?? search.get('item');
  const item = itemId ? menuIndexOf(menus).items.get(itemId) : undefined;
  if (item) return <ItemSheet key={line?.key ?? itemId} store={store} item={item} line={line} onClose={close} />;
  if (itemId) return <UnknownItem onClose={close} />;
  if (search.has('filter')) return <FilterSheet onClose={close} />;
  return search.has('basket') ? <BasketSheet onClose={close} /> : null;
}

/**
 * Goes back when the sheet was opened from this page, so that Forward and Back keep their history; otherwise drops the
 * query.
 */
function useSheetCloser(): () => void {
  const path = usePath();
  return () => {
    if ((history.state as { isSheet?: boolean } | null)?.isSheet) history.back();
    else navigate(menuUrl('', path), { replace: true });
  };
}

/**
 * A person who goes on with Tab while a sheet loads is led back to its opener all the same. One who followed a link to
 * a dish is led to the dish on the menu.
 */
function useFocusBack(itemId: string | null): void {
  const [arrivedAt] = useState(itemId);
  useEffect(() => {
    const opener = sheetOpener.current;
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) return opener.focus({ preventScroll: true });
      const links = [...document.querySelectorAll<HTMLAnchorElement>('main a[href^="/menu?item="]')];
      const card = links.find(({ search }) => new URLSearchParams(search).get('item') === arrivedAt);
      card?.scrollIntoView({ block: 'center' });
      card?.focus({ preventScroll: true });
    };
  }, [arrivedAt]);
}

function UnknownItem({ onClose }: { onClose: () => void }) {
  return (
    <Sheet labelledBy="unknown-item" onClose={onClose}>
      <div className="grid justify-items-start gap-4 p-6">
        <h2 id="unknown-item" className="text-2xl">
          {m.menu_item_gone()}
        </h2>
        <button type="button" className="btn btn-primary" onClick={onClose}>
          {m.menu_see()}
        </button>
      </div>
    </Sheet>
  );
}
