import { useLayoutEffect, useRef } from 'react';
import { m } from '#messages';
import { acceptPrices, putBack, setQuantity } from '#ordering/web/basket-edits.ts';
import { readBasket } from '#ordering/web/basket-store.ts';
import type { LineView } from '#ordering/web/basket-view.ts';
import { openSheet } from '#ordering/web/menu/menu-filter.ts';
import { usePath } from '#platform/web/navigation.tsx';
import { notify } from '#ui/web/notify.ts';

/** The removed line that is restored, to take the focus then. */
let restored: string | null = null;
/** In ms: longer than a slow phone takes to show it. */
const restoring = 1000;

/** The edits of a line of the basket; the focus never falls back to the page. */
export function useLineEdits({ line, now }: LineView, onAnswer: (() => void) | undefined) {
  const row = useRef<HTMLLIElement>(null);
  const path = usePath();
  const name = now?.name ?? line.name;
  useLayoutEffect(() => {
    // The same line may be rendered beside the menu and in its sheet, one of them invisible.
    if (restored !== line.key || row.current?.getClientRects().length === 0) return;
    restored = null;
    focus(row.current);
  }, [line.key]);
  const remove = () => {
    const { lines, session } = readBasket();
    const place = lines.findIndex(({ key }) => key === line.key);
    const held = lines[place];
    if (!held) return;
    focus(elementAfter(row.current));
    setQuantity(line.key, 0);
    onAnswer?.();
    const undo = () => {
      restored = line.key;
      putBack(held, place, session);
      // If no basket is visible the line is still restored, and does not take the focus later.
      setTimeout(() => (restored = null), restoring);
    };
    notify({ text: m.ordering_basket_removed({ name }), action: { label: m.platform_undo(), run: undo } });
  };
  const acceptPrice = (price: number) => {
    focus(row.current);
    acceptPrices(new Map([[line.key, { name, price }]]));
    onAnswer?.();
  };
  const change = (quantity: number) => (quantity < 1 ? remove() : setQuantity(line.key, quantity));
  return { row, edit: () => openSheet(`line=${line.key}`, path), remove, acceptPrice, change };
}

export type LineEdits = ReturnType<typeof useLineEdits>;

/** The next focus after a line is removed: the next or the last line, otherwise the basket around it. */
function elementAfter(row: Element | null): Element | null | undefined {
  return row?.nextElementSibling ?? row?.previousElementSibling ?? row?.closest('dialog, aside, main');
}

/** Called before the focused element is removed: a screen reader would otherwise start at the top of the page. */
function focus(element: Element | null | undefined): void {
  if (element instanceof HTMLElement) element.focus({ preventScroll: true });
}
