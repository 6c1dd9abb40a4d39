import { STORES_CHANNEL } from '#store/channels.ts';

/** The store domain without its calls. `shop/server/domain.ts` serves the calls from the cache of shops. */
export const storeDomain = { name: 'store', publicChannels: [STORES_CHANNEL] };
