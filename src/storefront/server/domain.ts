import { calls } from '#database/domain.ts';
import { storefront } from '#storefront/contract.ts';
import { pageConfigHandlers } from '#storefront/server/page-config-handlers.ts';

export const storefrontDomain = { name: 'storefront', calls: [calls(storefront, pageConfigHandlers)] };
