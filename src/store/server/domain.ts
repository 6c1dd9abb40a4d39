import { calls } from '#database/domain.ts';
import { STORES_CHANNEL } from '#store/channels.ts';
import { store } from '#store/contract.ts';
import { storeHandlers } from '#store/server/handlers.ts';

export const storeDomain = {
  name: 'store',
  calls: [calls(store, storeHandlers)],
  takesTurns: true,
  publicChannels: [STORES_CHANNEL],
};
