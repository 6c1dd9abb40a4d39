import { z } from 'zod';
import { receiptLook } from '#store/receipt-look.ts';

/** The fields of a store that only its staff are told: to strangers they say where its limits are, and when nobody looks. */
export const forStaff = {
  /** Orders of one person, by account and phone, that are not finished; null: no limit. */
  max_open_orders_per_person: z.int().min(1).max(1000).nullable(),
  /** Orders from one network within an hour; null: no limit. */
  max_orders_per_address_hour: z.int().min(1).max(100_000).nullable(),
  /** Whether the store pauses automatically while it is open and no order board is on. */
  pause_when_unattended: z.boolean(),
  /** Whether the owner gets a mail with the takings of each trading day. */
  mails_takings: z.boolean(),
  /** Months after which lines of the audit log are removed; the longest of all stores counts. */
  keep_audit_months: z.int().min(12).max(120),
  ...receiptLook,
};
