import { z } from 'zod';
import { Sum } from '#ordering/sum.ts';

const clock = z.string();

/** A warning that staff may override, as data: the text is made in the reader's language. */
export const ProblemDetails = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['past', 'not_accepting', 'unavailable', 'fully_booked', 'last_orders', 'closed']) }),
  z.object({ kind: z.enum(['paused', 'slot_full', 'closed_until']), time: clock }),
  z.object({ kind: z.literal('too_soon'), time: clock, earliest: clock }),
  z.object({ kind: z.literal('cash_limit'), amount: Sum, currency: z.string() }),
]);
export type ProblemDetails = z.infer<typeof ProblemDetails>;

const money = { amount: Sum, currency: z.string() };

/**
 * The application's notes in an order's history. Amounts in minor units; `reason` is a text by a person, or a
 * RemovalReason. Texts by people on any other step are in the entry's own `reason`.
 */
export const HistoryNote = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['marked_paid', 'cash_instead']) }),
  z.object({ kind: z.literal('refund'), ...money, reason: z.string() }),
  z.object({ kind: z.enum(['refund_failed', 'refund_by_hand', 'refund_waits']), ...money }),
  z.object({ kind: z.enum(['inquiry', 'inquiry_closed', 'disputed', 'dispute_won', 'dispute_lost']), ...money }),
  z.object({
    kind: z.literal('lines_removed'),
    lines: z.array(z.object({ name: z.string(), quantity: z.int() })),
    ...money,
    reason: z.string(),
  }),
  z.object({ kind: z.literal('overridden'), problems: z.array(ProblemDetails) }),
]);
export type HistoryNote = z.infer<typeof HistoryNote>;
