import { z } from 'zod';

/** For how long people's details are kept, which the privacy page says. Of the last the longest of all stores counts. */
export const keptTimes = {
  /** Days after which a guest's order loses its name, address and notes; null: never. */
  keep_guest_days: z.int().min(1).max(3650).nullable(),
  /** Months without a use after which a customer's account is deleted, its owner being told a month before; null: never. */
  keep_idle_account_months: z.int().min(6).max(120).nullable(),
};
