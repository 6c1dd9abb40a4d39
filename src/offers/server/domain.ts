import { endpointRegistration } from '#database/endpoint-registration.ts';
import { offerEndpoints } from '#offers/contract.ts';
import { offerHandlers } from '#offers/server/handlers.ts';

export const offersDomain = {
  name: 'offers',
  calls: [endpointRegistration(offerEndpoints, offerHandlers)],
  takesTurns: true,
};
