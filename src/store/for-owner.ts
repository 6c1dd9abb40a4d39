import { z } from 'zod';

/** What a store does by itself for an owner who is away, as fields of the store. */
export const forOwner = {
  /** Whether the store pauses automatically while it is open and no order board is on. */
  pause_when_unattended: z.boolean(),
  /** Whether the owner gets a mail with the takings of each trading day. */
  mails_takings: z.boolean(),
};
