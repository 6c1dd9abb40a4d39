import { m } from '#messages';
import { BasketContent } from '#ordering/web/basket-content.tsx';
import { useSettledBasketView } from '#ordering/web/basket-view.ts';
import { Icon } from '#ui/web/icon.tsx';
import { Sheet } from '#ui/web/sheet.tsx';

/** The basket over the menu, on a phone. */
export function BasketSheet({ onClose }: { onClose: () => void }) {
  const view = useSettledBasketView();
  return (
    <Sheet labelledBy="basket-sheet-title" onClose={onClose}>
      <button
        type="button"
        aria-label={m.platform_close()}
        className="absolute top-3 right-3 z-10 grid size-11 place-items-center rounded-full bg-sunken"
        onClick={onClose}
      >
        <Icon name="close" />
      </button>
      <BasketContent view={view} titleId="basket-sheet-title" />
    </Sheet>
  );
}
