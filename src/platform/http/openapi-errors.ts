import { errorStatus, type ErrorCode } from '#platform/errors.ts';

export const errorSchema = {
  type: 'object',
  required: ['message', 'code'],
  properties: {
    message: { type: 'string', description: 'For people.' },
    code: { type: 'string', enum: Object.keys(errorStatus), description: 'For programs: it never changes meaning.' },
    errors: {
      type: 'object',
      description: 'Messages by the path of the field that caused them.',
      additionalProperties: { type: 'array', items: { type: 'string' } },
    },
    status: { type: 'string', description: 'With `illegal_transition`: where the order is.' },
    open_calls: {
      type: 'array',
      items: { type: 'string' },
      description: 'With `illegal_transition`: what can be called instead.',
    },
    problems: {
      type: 'array',
      items: { $ref: '#/components/schemas/Problem' },
      description: 'With `order_refused`: everything that stands in the way.',
    },
    current: {
      type: 'object',
      description: 'With `changed_meanwhile`: the thing as it is now.',
    },
    fields: {
      type: 'array',
      items: { type: 'string' },
      description: 'With `changed_meanwhile`: what somebody else changed.',
    },
    quote: { $ref: '#/components/schemas/Quote', description: 'With `price_changed`: the new price.' },
  },
};

/** What each refusal looks like. The words are examples: only the code can be relied on. */
const messages: Record<ErrorCode, string> = {
  malformed_request: 'The body is not valid JSON.',
  unauthenticated: 'Unauthenticated.',
  forbidden: 'You are not allowed to do this.',
  not_found: 'Not found.',
  method_not_allowed: 'This address does not take PUT.',
  conflict: 'This was changed by somebody else meanwhile.',
  illegal_transition: 'The order cannot go there from where it is.',
  price_changed: 'The price has changed.',
  changed_meanwhile: 'Somebody else changed this meanwhile.',
  session_reused: 'This session belongs to another order.',
  already_set_up: 'The shop is set up already.',
  payload_too_large: 'The request is too large.',
  unsupported_media_type: 'Send the body as application/json.',
  invalid: 'Choose at least 1.',
  order_refused: 'The shop is closed.',
  payment_declined: 'The card was declined.',
  too_many_requests: 'Too many attempts. Wait a moment and try again.',
  internal: 'Something went wrong on our side. Please try again.',
  payment_unavailable: 'Card payments are not available just now.',
  unavailable: 'Not available just now. Please try again.',
};

/** Members that some refusals have besides message and code. */
const extra: Partial<Record<ErrorCode, Record<string, unknown>>> = {
  invalid: { errors: { 'lines.0.quantity': ['Choose at least 1.'] } },
  illegal_transition: { open_calls: ['accept', 'reject'] },
  changed_meanwhile: { fields: ['name'], current: { name: 'Sides' } },
  order_refused: { problems: [{ code: 'shop_closed', message: 'The shop is closed.', path: 'requested_for' }] },
};

/** OpenAPI `examples` by code. */
export function errorExamples(codes: readonly ErrorCode[]): Record<string, { value: unknown }> {
  return Object.fromEntries(codes.map((code) => [code, { value: { message: messages[code], code, ...extra[code] } }]));
}
