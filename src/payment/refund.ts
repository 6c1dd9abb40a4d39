import { refundKinds, refundStatuses } from '#database/column-values.ts';
import { z } from 'zod';
import { VatRow } from '#ordering/order.ts';
import { Id, Instant, LocalDate } from '#platform/http/shapes.ts';
import { PaymentMethod } from '#store/contract.ts';

export const RefundStatus = z.enum(refundStatuses);
export type RefundStatus = z.infer<typeof RefundStatus>;

export const RefundKind = z.enum(refundKinds);
export type RefundKind = z.infer<typeof RefundKind>;

/** `amount`: the sum that was paid for `quantity` pieces of the line, less their share of the discounts. */
export const RefundedLine = z.object({ line_id: Id, quantity: z.int().min(1), amount: z.int().min(0) });
export type RefundedLine = z.infer<typeof RefundedLine>;

/**
 * Why a refund was not made. `refused`: the provider refuses it. `keys_ended`: the payment's keys are not used any
 * more. `disputed`: the payer's bank has taken the payment back, so a pending refund waits for the bank's decision, and
 * a failed one is not needed. `given_back`: the payer has got the amount in another way.
 */
export const RefundProblem = z.enum(['refused', 'keys_ended', 'disputed', 'given_back']);
export type RefundProblem = z.infer<typeof RefundProblem>;

/** A refund: pending, made or failed. If it failed, no money moved, or the money came back to the shop. */
export const Refund = z.object({
  id: Id,
  order_id: Id,
  order_number: z.string(),
  store_id: Id,
  /** null: refunded by hand, not through the payment provider. */
  payment_id: Id.nullable(),
  payment_method: PaymentMethod,
  status: RefundStatus,
  /** null: the refund was made, or it is pending and no dispute delays it. */
  problem: RefundProblem.nullable(),
  amount: z.int(),
  /**
   * The part of a failed refund that is still to be refunded: its amount less the sum that the payer got in another way
   * since.
   */
  due: z.int(),
  currency: z.string(),
  /** The part of `amount` that was tip. */
  tip: z.int(),
  /** Empty for refunds of removed lines and of late payments, which the order's own VAT does not contain. */
  vat: z.array(VatRow),
  lines: z.array(RefundedLine),
  kind: RefundKind,
  /** Free text by a person, or the text for `kind` in the caller's language. */
  reason: z.string(),
  actor: z.string(),
  trading_day: LocalDate,
  created_at: Instant,
  settled_at: Instant.nullable(),
});
export type Refund = z.infer<typeof Refund>;
