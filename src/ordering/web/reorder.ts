import type { Menu } from '#menu/menu-shapes.ts';
import type { Order } from '#ordering/order.ts';
import type { NewLine } from '#ordering/web/basket-store.ts';
import { isAsked, type LineView, viewBasket } from '#ordering/web/basket-view.ts';
import type { Store } from '#store/contract.ts';

export interface Reorder {
  /** The lines that can go into the basket, at today's prices. */
  lines: readonly NewLine[];
  /** The changes: a higher price, choices that are gone, or the dish itself. */
  changes: readonly LineView[];
  /** The lines that go into the basket, as on the menu now. */
  added: readonly LineView[];
}

/** An earlier order with the current menu's data. */
export function planReorder(order: Pick<Order, 'lines'>, store: Store, menus: readonly Menu[], now: Date): Reorder {
  const lines = order.lines.map((line) => ({
    key: line.id,
    item_id: line.item_id,
    name: line.name,
    quantity: line.quantity,
    note: line.note,
    options: line.options.map(({ option_group_id, option_id, quantity }) => ({ option_group_id, option_id, quantity })),
    seen_price: line.unit_price,
  }));
  const held = { session: '', store_id: store.id, fulfilment_type: null, postcode: '', lines };
  const views = viewBasket(store, menus, held, now).lines;
  const added = views.filter(canBeHad);
  return {
    lines: added.map(toLine),
    added,
    changes: views.filter(isAsked),
  };
}

/** Whether it goes into the basket; choices that are gone are chosen again there. */
export function canBeHad({ now, problems }: LineView): boolean {
  return now !== null && !problems.some(({ code }) => code === 'item_sold_out');
}

function toLine({ line: { key: _key, ...line }, now }: LineView): NewLine {
  if (!now) return line;
  const options = now.selected.map(({ group, option, quantity }) => ({
    option_group_id: group.id,
    option_id: option.id,
    quantity,
  }));
  // A lower price is told at its line, beside the one of then.
  return { ...line, name: now.name, options, seen_price: Math.max(line.seen_price, now.unit_price) };
}
