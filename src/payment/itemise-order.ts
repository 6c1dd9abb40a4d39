import { m } from '#messages';
import { withFeeNames } from '#ordering/fee-words.ts';
import type { ChargedFee } from '#ordering/fee-words.ts';
import type { Discount, Line } from '#ordering/order.ts';
import type { ProviderPageRow } from '#payment/server/provider.ts';

interface PricedOrder {
  lines: readonly Pick<Line, 'name' | 'options' | 'quantity' | 'unit_price' | 'total'>[];
  fees: readonly ChargedFee[];
  discounts: readonly Discount[];
  tip: number;
  total: number;
}

export interface ItemisedOrder {
  parts: ProviderPageRow[];
  discount: { name: string; amount: number } | null;
}

/**
 * An order's dishes, fees, tip and discount for the provider's page, in minor units. The parts less the discount are
 * the order's total.
 */
export function itemiseOrder(order: PricedOrder): ItemisedOrder {
  const parts = [
    ...order.lines.map(linePart),
    ...withFeeNames(order.fees).map(({ name, amount }) => ({ name, amount, quantity: 1 })),
    ...(order.tip > 0 ? [{ name: m.payment_part_tip(), amount: order.tip, quantity: 1 }] : []),
  ];
  const off = order.discounts.reduce((sum, { amount }) => sum + amount, 0);
  const discount = off > 0 ? { name: order.discounts.map(({ name }) => name).join(', '), amount: off } : null;
  const sum = parts.reduce((all, { amount, quantity }) => all + amount * quantity, 0);
  if (sum - off === order.total) return { parts, discount };
  // The lines of an order from an older release may not add up to its total. The page then shows one part with the
  // total.
  return { parts: [{ name: m.payment_part_order(), amount: order.total, quantity: 1 }], discount: null };
}

function linePart({ name, options, quantity, unit_price, total }: PricedOrder['lines'][number]): ProviderPageRow {
  const chosen = options.map((option) => (option.quantity > 1 ? `${option.quantity} × ${option.name}` : option.name));
  const words = [name, ...chosen].join(', ');
  if (unit_price * quantity === total) return { name: words, amount: unit_price, quantity };
  return { name: `${quantity} × ${words}`, amount: total, quantity: 1 };
}
