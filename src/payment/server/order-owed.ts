import type { OrderOwed } from '#ordering/server/services.ts';
import { forgetReasons } from '#payment/server/ledger.ts';
import { lowerOrder } from '#payment/server/lower-order.ts';
import { oweCapture, oweRelease } from '#payment/server/owed.ts';
import type { PaymentServices } from '#payment/server/services.ts';

/** The payment work of orders. */
export function createOrderOwed(services: Pick<PaymentServices, 'jobs' | 'menus' | 'now'>): OrderOwed {
  const { jobs } = services;
  return {
    capture: (tx, order) => oweCapture(tx, jobs, order),
    release: (tx, order) => oweRelease(tx, jobs, order),
    lower: (tx, change) => lowerOrder(tx, services, change),
    forget: forgetReasons,
  };
}
