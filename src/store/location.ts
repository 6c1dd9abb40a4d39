import { z } from 'zod';

/** Where the shop is. Until a person has confirmed it, only the address is told; a new shop's is a default. */
export const locationFields = {
  location: z.object({ latitude: z.number().min(-90).max(90), longitude: z.number().min(-180).max(180) }),
  /** Sent alone it confirms the location that stands; a location that is sent alone is confirmed too. */
  location_confirmed: z.boolean(),
};
