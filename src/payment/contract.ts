import { z } from 'zod';
import { One } from '#platform/http/shapes.ts';
import { Order } from '#ordering/order.ts';

export const payment = {
  'POST /v1/orders/{id}/payment/reconcile': {
    access: 'guest',
    summary: 'On return from paying: ask the provider how it went. For the session holder, the owner and staff.',
    response: One(Order),
    ownTransaction: true,
    errors: ['payment_unavailable'],
  },
  'POST /v1/payments/webhooks/{provider}': {
    access: 'guest',
    summary: "A payment provider's own message, signed by it.",
    body: z.unknown(),
    response: z.object({ received: z.boolean() }),
    ownTransaction: true,
    idOrName: true,
  },
} as const;
