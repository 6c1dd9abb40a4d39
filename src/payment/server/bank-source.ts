import type { BankEntryKind, DisputeStatus, PayoutStatus } from '#payment/bank.ts';

/**
 * A line of the provider's statement. Minor units, negative where money left the balance; `net` is `amount` less `fee`.
 */
export interface ProviderBankEntry {
  id: string;
  kind: BankEntryKind;
  amount: number;
  fee: number;
  net: number;
  currency: string;
  createdAt: Date;
  /** The day from which the entry's amount can be paid out. */
  availableOn: string;
  /** The provider's id of the charge, refund, dispute or payout. */
  source: string | null;
  /** The entry's payment: its id at the provider (`intent`), and its id in the shop if the metadata has one. */
  intent: string | null;
  paymentId: string | null;
}

export interface ProviderPayout {
  id: string;
  amount: number;
  currency: string;
  status: PayoutStatus;
  /** The provider's name for the reason of the failure; null: the payout has not failed. */
  failure: string | null;
  /** Whether the provider made the payout on its schedule. The provider lists entries only for such payouts. */
  isAutomatic: boolean;
  /**
   * Whether the provider's list of the payout's entries is complete; false: not yet, or never for a payout that the
   * owner triggered.
   */
  hasEntries: boolean;
  arrivesOn: string;
  createdAt: Date;
}

export interface ProviderDispute {
  id: string;
  intent: string | null;
  paymentId: string | null;
  amount: number;
  currency: string;
  reason: string;
  status: DisputeStatus;
  respondBy: Date | null;
  createdAt: Date;
}

/**
 * The payouts, fees and disputes of a provider's account, for one key set. Reading changes nothing. Throws
 * ProviderRefusal if the provider refuses the request, ProviderKeysRefused if it refuses the shop's keys, any other
 * error for an outage.
 */
export interface BankSource {
  /** Payouts created at or after `since`, newest first. */
  listPayouts(since: Date): Promise<ProviderPayout[]>;
  payout(id: string): Promise<ProviderPayout>;
  /** All entries of an automatic payout, except the payout's own entry. */
  listEntries(payoutId: string): Promise<ProviderBankEntry[]>;
  /** All entries created at or after `since`. */
  entriesSince(since: Date): Promise<ProviderBankEntry[]>;
  /** The entries of one payment so far: its charge, refunds and disputes. */
  entriesOf(payment: { id: string; intent: string }): Promise<ProviderBankEntry[]>;
  /** Disputes created at or after `since`, newest first. */
  listDisputes(since: Date): Promise<ProviderDispute[]>;
  disputesOf(intent: string): Promise<ProviderDispute[]>;
  dispute(id: string): Promise<ProviderDispute>;
}
