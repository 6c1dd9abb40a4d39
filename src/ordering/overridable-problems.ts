import type { BasketProblem, BasketProblemCode } from '#ordering/basket.ts';

const overridable: ReadonlySet<BasketProblemCode> = new Set([
  'shop_closed',
  'shop_paused',
  'not_accepting_orders',
  'slot_full',
  'slot_unavailable',
  'cash_limit',
]);

/** Whether a problem prevents a customer's order, but only warns staff, who know the kitchen's limits. */
export function isOverridable({ code }: Pick<BasketProblem, 'code'>): boolean {
  return overridable.has(code);
}
