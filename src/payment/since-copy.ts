import { paymentModes, providerStates, providerReadingFailures } from '#database/column-values.ts';
import { z } from 'zod';
import { DisputeStatus } from '#payment/bank.ts';
import { Id, Instant } from '#platform/http/shapes.ts';

/** After a restore: the progress of reading the payments that a card account has received since the backup. */
export const ProviderReadProgress = z.object({
  key_set: z.string(),
  provider: z.string(),
  mode: z.enum(paymentModes),
  /** The time from which payments are compared: an hour before the backup. */
  since: Instant,
  /** `failed`: the owner can retry, and the shop retries automatically. */
  state: z.enum(['asking', 'answered', 'failed']),
  answered_at: Instant.nullable(),
  /** The number of payments that the provider listed in the present round. */
  payments: z.int(),
  /** The number of orders that were compared in the present round. */
  orders: z.int(),
  failure: z.enum(providerReadingFailures).nullable(),
  /** The provider's message about the failure. */
  said: z.string().nullable(),
});
export type ProviderReadProgress = z.infer<typeof ProviderReadProgress>;

/** A payment that the provider has, but whose order is missing in the backup. The amounts are in minor units. */
export const UnknownPayment = z.object({
  id: Id,
  provider: z.string(),
  mode: z.enum(paymentModes),
  state: z.enum(providerStates),
  amount: z.int(),
  captured: z.int(),
  refunded: z.int(),
  currency: z.string(),
  /** The text that the payer read, which names the shop and the order. */
  description: z.string().nullable(),
  dispute_status: DisputeStatus.nullable(),
  created_at: Instant,
  link: z.url(),
});
export type UnknownPayment = z.infer<typeof UnknownPayment>;

export const SinceCopy = z.object({
  /** Empty without card keys, because then no provider has payments. */
  readings: z.array(ProviderReadProgress),
  payments: z.array(UnknownPayment),
  /**
   * The number of disputes about known orders. Disputes that were opened at the provider more than an hour before the
   * backup are not counted.
   */
  disputes: z.int(),
});
export type SinceCopy = z.infer<typeof SinceCopy>;
