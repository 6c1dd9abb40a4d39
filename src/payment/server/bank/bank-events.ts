import { readDispute, readPayout } from '#payment/server/bank/sync-bank.ts';
import type { EventHandler } from '#payment/server/events/event-rows.ts';

/** The events about payouts and disputes. Each causes its object to be read again, so their order does not matter. */
export const bankEvents: EventHandler = {
  types: ['payout.', 'charge.dispute.'],
  async handle(context, { type, object, key_set: keySet }) {
    if (object === null || keySet === null) return 'unknown';
    if (type?.startsWith('charge.dispute.')) {
      return (await readDispute(context, keySet, object)) ? 'applied' : 'unknown';
    }
    await readPayout(context, keySet, object);
    return 'applied';
  },
};
