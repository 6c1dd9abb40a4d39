import { z } from 'zod';
import { storePathName } from '#store/contract.ts';
import { SingleAnswer } from '#platform/http/shapes.ts';

export const ServerClockReading = z.object({
  now: z.iso.datetime(),
  /**
   * Seconds by which the server's clock jumped, negative for a jump back; null: no jump. Until staff confirm the time,
   * no order ends at a deadline.
   */
  ahead_seconds: z.int().nullable(),
});
export type ServerClockReading = z.infer<typeof ServerClockReading>;

export const kitchenEndpoints = {
  'GET /v1/stores/{id}/clock': {
    idOrName: storePathName,
    access: 'store_admin',
    summary: 'Whether the shop’s clock has jumped by more than a minute. Meanwhile no order is ended by its deadline.',
    response: SingleAnswer(ServerClockReading),
  },
  'POST /v1/stores/{id}/clock/confirm': {
    idOrName: storePathName,
    access: 'store_admin',
    summary: 'The time is right as it is: deadlines count again, at other instances within two seconds.',
    response: SingleAnswer(ServerClockReading),
  },
} as const;
