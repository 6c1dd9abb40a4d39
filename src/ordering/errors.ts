import type { ErrorDefinition } from '#platform/errors.ts';

export const orderErrors = {
  illegal_transition: {
    status: 409,
    message: 'The order cannot go there from where it is.',
    members: {
      status: { type: 'string', description: 'With `illegal_transition`: where the order is.' },
      open_calls: {
        type: 'array',
        items: { type: 'string' },
        description: 'With `illegal_transition`: what can be called instead.',
      },
    },
    example: { status: 'placed', open_calls: ['accept', 'reject'] },
  },
  price_changed: {
    status: 409,
    message: 'The price has changed.',
    members: {
      quote: { $ref: '#/components/schemas/Quote', description: 'With `price_changed`: the new price.' },
    },
  },
  too_many_orders: { status: 429, message: 'You have 5 orders that are not finished.' },
  session_reused: { status: 409, message: 'This session belongs to another order.' },
  order_refused: {
    status: 422,
    message: 'The shop is closed.',
    members: {
      problems: {
        type: 'array',
        items: { $ref: '#/components/schemas/Problem' },
        description: 'With `order_refused`: everything that stands in the way.',
      },
    },
    example: { problems: [{ code: 'shop_closed', message: 'The shop is closed.', path: 'requested_for' }] },
  },
  hold_ended: {
    status: 409,
    message: 'The bank approved the card too long ago, so the order cannot be charged any more.',
  },
  payment_unavailable: { status: 503, message: 'Card payments are not available just now.' },
} as const satisfies Record<string, ErrorDefinition>;

type OrderErrors = typeof orderErrors;

declare module '#platform/errors.ts' {
  interface DomainErrors extends OrderErrors {}
}
