import { endpointRegistration } from '#database/endpoint-registration.ts';
import { storefrontEndpoints } from '#storefront/contract.ts';
import { pageConfigHandlers } from '#storefront/server/browser-config.ts';

export const storefrontDomain = {
  name: 'storefront',
  calls: [endpointRegistration(storefrontEndpoints, pageConfigHandlers)],
};
