import { STORES_CHANNEL } from '#store/channels.ts';

/** Its calls are served by the shop's cache: `shop/server/domain.ts`. */
export const storeDomain = { name: 'store', publicChannels: [STORES_CHANNEL] };
