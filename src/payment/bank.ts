import { z } from 'zod';

/**
 * The kind of a line of the provider's statement. `fee`: charged by the provider for itself, not for one payment.
 * `payout`: money that left for the bank account; `payout_failed`: it came back.
 */
export const BankEntryKind = z.enum([
  'charge',
  'refund',
  'refund_failed',
  'dispute',
  'dispute_won',
  'fee',
  'payout',
  'payout_failed',
  'other',
]);
export type BankEntryKind = z.infer<typeof BankEntryKind>;

export const PayoutStatus = z.enum(['pending', 'in_transit', 'paid', 'failed', 'cancelled']);
export type PayoutStatus = z.infer<typeof PayoutStatus>;

/** An inquiry is a question by the payer's bank; the money moves only when it becomes a dispute. */
export const DisputeStatus = z.enum([
  'inquiry_needs_response',
  'inquiry_under_review',
  'inquiry_closed',
  'needs_response',
  'under_review',
  'won',
  'lost',
]);
export type DisputeStatus = z.infer<typeof DisputeStatus>;
