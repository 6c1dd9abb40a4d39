import { refreshDispute, refreshPayout } from '#payment/server/bank/refresh-bank.ts';
import type { PaymentEventHandler } from '#payment/server/events/event-rows.ts';

/**
 * Handles the events about payouts and disputes. Each event only causes its payout or dispute to be read again, so the
 * order of events does not matter.
 */
export const bankEventHandler: PaymentEventHandler = {
  types: ['payout.', 'charge.dispute.'],
  async handle(context, { type, object, key_set: keySet }) {
    if (object === null || keySet === null) return 'unknown';
    if (type?.startsWith('charge.dispute.')) {
      return (await refreshDispute(context, keySet, object)) ? 'applied' : 'unknown';
    }
    await refreshPayout(context, keySet, object);
    return 'applied';
  },
};
