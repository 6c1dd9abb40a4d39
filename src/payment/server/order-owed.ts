import type { OrderOwed } from '#ordering/server/services.ts';
import { forgetReasons, type StepServices } from '#payment/server/ledger.ts';
import { lowerOrder } from '#payment/server/lower-order.ts';
import { oweCapture, releaseAll } from '#payment/server/owed.ts';

/** The payment work of orders. */
export function createOrderOwed(services: StepServices): OrderOwed {
  const { jobs } = services;
  return {
    capture: (tx, order) => oweCapture(tx, jobs, order),
    release: (tx, order) => releaseAll(tx, jobs, order.id, order.closed_at ?? new Date()),
    lower: (tx, change) => lowerOrder(tx, services, change),
    forget: forgetReasons,
  };
}
