import type { BankEntryKind, DisputeStatus, PayoutStatus } from '#payment/bank.ts';

/**
 * A line of the provider's statement. Minor units, negative where money left the balance; `net` is `amount` less `fee`.
 */
export interface BankEntry {
  id: string;
  kind: BankEntryKind;
  amount: number;
  fee: number;
  net: number;
  currency: string;
  createdAt: Date;
  /** The day from which it can be paid out. */
  availableOn: string;
  /** The provider's id of the charge, refund, dispute or payout. */
  source: string | null;
  /** The payment it belongs to: the provider's id of its money, and ours if it was sent along. */
  intent: string | null;
  paymentId: string | null;
}

export interface Payout {
  id: string;
  amount: number;
  currency: string;
  status: PayoutStatus;
  /** Why it failed, as the provider names it. */
  failure: string | null;
  /** Only of automatic payouts the provider says which entries are in them. */
  isAutomatic: boolean;
  /** Whether its entries are complete; false: not yet, or never for a payout made by hand. */
  hasEntries: boolean;
  /** The day it is in the bank account. */
  arrivesOn: string;
  createdAt: Date;
}

export interface Dispute {
  id: string;
  intent: string | null;
  paymentId: string | null;
  amount: number;
  currency: string;
  /** As the provider names it. */
  reason: string;
  status: DisputeStatus;
  respondBy: Date | null;
  createdAt: Date;
}

/**
 * The payouts, fees and disputes of a provider's account, for one key set. Reading changes nothing. Throws
 * ProviderRefusal for a definite no, KeysRefused when it does not accept the shop's keys, anything else for an outage.
 */
export interface BankSource {
  /** Payouts created at or after `since`, newest first. */
  listPayouts(since: Date): Promise<Payout[]>;
  payout(id: string): Promise<Payout>;
  /** Everything in an automatic payout, but the payout's own entry. */
  listEntries(payoutId: string): Promise<BankEntry[]>;
  /** All entries created at or after `since`. */
  entriesSince(since: Date): Promise<BankEntry[]>;
  /** The entries of one payment so far: its charge, refunds and disputes. */
  entriesOf(payment: { id: string; intent: string }): Promise<BankEntry[]>;
  /** Disputes created at or after `since`, newest first. */
  listDisputes(since: Date): Promise<Dispute[]>;
  /** Every dispute of one payment. */
  disputesOf(intent: string): Promise<Dispute[]>;
  dispute(id: string): Promise<Dispute>;
}
