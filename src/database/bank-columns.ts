/** The kind of a line of the provider's statement. `payout`: money that left for the bank account. */
export type BankEntryKind =
  | 'charge'
  | 'refund'
  | 'refund_failed'
  | 'dispute'
  | 'dispute_won'
  | 'fee'
  | 'payout'
  | 'payout_failed'
  | 'other';
export type PayoutStatus = 'pending' | 'in_transit' | 'paid' | 'failed' | 'cancelled';
/** An inquiry is a question by the payer's bank; the money moves only when it becomes a dispute. */
export type DisputeStatus =
  | 'inquiry_needs_response'
  | 'inquiry_under_review'
  | 'inquiry_closed'
  | 'needs_response'
  | 'under_review'
  | 'won'
  | 'lost';
