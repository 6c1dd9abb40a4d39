import { m } from '#messages';
import type { BankEntryKind, PayoutStatus } from '#payment/bank.ts';

export const payoutStatusWords: Record<PayoutStatus, () => string> = {
  pending: m.payment_payout_pending,
  in_transit: m.payment_payout_in_transit,
  paid: m.payment_payout_paid,
  failed: m.payment_payout_failed,
  cancelled: m.payment_payout_cancelled,
};

export const entryWords: Record<BankEntryKind, () => string> = {
  charge: m.payment_entry_charge,
  refund: m.payment_entry_refund,
  refund_failed: m.payment_entry_refund_failed,
  dispute: m.payment_entry_dispute,
  dispute_won: m.payment_entry_dispute_won,
  fee: m.payment_entry_fee,
  payout: m.payment_entry_payout,
  payout_failed: m.payment_entry_payout_failed,
  other: m.payment_entry_other,
};

const failures: Record<string, () => string> = {
  account_closed: m.payment_payout_account_closed,
  account_frozen: m.payment_payout_account_closed,
  no_account: m.payment_payout_no_account,
  invalid_account_number: m.payment_payout_no_account,
  incorrect_account_holder_name: m.payment_payout_wrong_name,
  insufficient_funds: m.payment_payout_insufficient,
};

/** Why a payout failed, with the remedy. */
export const payoutFailure = (failure: string | null): string =>
  (failures[failure ?? ''] ?? m.payment_payout_failed_other)();
