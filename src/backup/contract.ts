import { z } from 'zod';
import { Order } from '#ordering/order.ts';
import { Id, Instant, SingleAnswer } from '#platform/http/shapes.ts';

/** An order that was not finished when the copy was made. The shop may have gone on with it since. */
const OpenOrder = Order.pick({
  status: true,
  payment_status: true,
  payment_method: true,
  fulfilment_type: true,
  total: true,
  placed_at: true,
}).extend({ id: Id, store_id: Id, number: z.int(), name: z.string() });
export type OpenOrder = z.infer<typeof OpenOrder>;

/** A shop that was made from a copy, as it waits for its owner. */
export const Restored = z.object({
  restored_at: Instant,
  copy_number: z.int(),
  copy_made_at: Instant,
  /** null: it takes no orders yet, and nothing that is due happens. */
  continued_at: Instant.nullable(),
  open_orders: z.array(OpenOrder),
  /** Counts of unsent things in the copy. The old shop may have sent them since. */
  waiting: z.object({ mails: z.int(), prints: z.int(), alerts: z.int() }),
});
export type Restored = z.infer<typeof Restored>;

export const backup = {
  'GET /v1/restored': {
    access: 'admin',
    summary: 'Read whether this shop was made from a copy, what was open in it, and whether it waits for its owner.',
    response: SingleAnswer(Restored.nullable()),
  },
  'POST /v1/restored/continue': {
    access: 'admin',
    summary:
      'Let a restored shop take orders and do its work again. What waited to be sent when the copy was made is dropped, unless `waiting` is `send`.',
    body: z.object({ waiting: z.enum(['drop', 'send']).default('drop') }),
    response: SingleAnswer(Restored.nullable()),
  },
} as const;
