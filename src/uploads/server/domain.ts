import { endpointRegistration } from '#database/endpoint-registration.ts';
import { uploadEndpoints } from '#uploads/contract.ts';
import { uploadsHandlers } from '#uploads/server/handlers.ts';

export const uploadsDomain = { name: 'uploads', calls: [endpointRegistration(uploadEndpoints, uploadsHandlers)] };
