import { calls } from '#database/domain.ts';
import { storefront } from '#storefront/contract.ts';
import { pageConfigHandlers } from '#storefront/server/browser-config.ts';

export const storefrontDomain = { name: 'storefront', calls: [calls(storefront, pageConfigHandlers)] };
