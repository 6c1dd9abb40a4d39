import { paymentModes, providerStates, readingFailures } from '#database/column-values.ts';
import { z } from 'zod';
import { DisputeStatus } from '#payment/bank.ts';
import { Id, Instant } from '#platform/http/shapes.ts';

/** The question to a card account about the time since the copy of a restored shop, and its answer. */
export const ProviderReading = z.object({
  key_set: z.string(),
  provider: z.string(),
  mode: z.enum(paymentModes),
  /** Payments from this time on are compared: an hour before the copy. */
  since: Instant,
  /** `failed`: it is asked again by itself, too. */
  state: z.enum(['asking', 'answered', 'failed']),
  answered_at: Instant.nullable(),
  /** Counts of this round so far: payments that the provider listed, and orders that were compared. */
  payments: z.int(),
  orders: z.int(),
  failure: z.enum(readingFailures).nullable(),
  /** The provider's own words about the failure. */
  said: z.string().nullable(),
});
export type ProviderReading = z.infer<typeof ProviderReading>;

/** A payment at the provider whose order is not in the copy. Minor units. */
export const UnknownPayment = z.object({
  id: Id,
  provider: z.string(),
  mode: z.enum(paymentModes),
  state: z.enum(providerStates),
  amount: z.int(),
  captured: z.int(),
  refunded: z.int(),
  currency: z.string(),
  /** The shop and the order, as the payer read them. */
  description: z.string().nullable(),
  dispute_status: DisputeStatus.nullable(),
  created_at: Instant,
  link: z.url(),
});
export type UnknownPayment = z.infer<typeof UnknownPayment>;

export const SinceCopy = z.object({
  /** Empty without card keys: nobody else knows of payments. */
  readings: z.array(ProviderReading),
  /** Newest first. */
  payments: z.array(UnknownPayment),
  /** Disputes of known orders that the provider opened since. */
  disputes: z.int(),
});
export type SinceCopy = z.infer<typeof SinceCopy>;
