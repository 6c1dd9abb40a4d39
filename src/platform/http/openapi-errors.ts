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

/** What each error looks like. The messages are examples: clients can rely on the code only. */
const messages: Record<ErrorCode, string> = {
  malformed_request: 'The body is not valid JSON.',
  invalid_signature: 'This message is not signed by the payment provider.',
  unauthenticated: 'Unauthenticated.',
  forbidden: 'You are not allowed to do this.',
  not_found: 'Not found.',
  method_not_allowed: 'This address does not accept PUT.',
  request_timeout: 'The request took too long to arrive.',
  conflict: 'This was changed by somebody else meanwhile.',
  illegal_transition: 'The order cannot go there from where it is.',
  price_changed: 'The price has changed.',
  changed_meanwhile: 'Someone else has changed this in the meantime.',
  session_reused: 'This session belongs to another order.',
  idempotency_conflict: 'This Idempotency-Key was used for another call.',
  already_set_up: 'The shop is set up already.',
  hold_ended: 'The bank has ended the hold on the card, so the order cannot be charged any more.',
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

/** Members that some errors have besides message and code. */
type Extras = Partial<Record<ErrorCode, Record<string, unknown>>>;
const extra: Extras = {
  invalid: { errors: { 'lines.0.quantity': ['Choose at least 1.'] } },
  illegal_transition: { status: 'placed', open_calls: ['accept', 'reject'] },
  changed_meanwhile: { fields: ['name'], current: { name: 'Sides' } },
  order_refused: { problems: [{ code: 'shop_closed', message: 'The shop is closed.', path: 'requested_for' }] },
};

/** Errors by status, each written once under a name made of its codes. `shown` holds the example of a `Quote`. */
export function errorResponses(
  codes: Iterable<ErrorCode>,
  shown: Record<string, unknown> = {},
): {
  links: Record<string, { $ref: string }>;
  components: Record<string, unknown>;
} {
  const byStatus = [...Map.groupBy(codes, (code) => errorStatus[code])];
  const named = byStatus.map(([status, own]) => ({ status, own: own.toSorted(), name: own.toSorted().join('-') }));
  return {
    links: Object.fromEntries(named.map(({ status, name }) => [status, { $ref: `#/components/responses/${name}` }])),
    components: Object.fromEntries(named.map(({ name, own }) => [name, describeRefusals(own, shown)])),
  };
}

function describeRefusals(codes: readonly ErrorCode[], shown: Record<string, unknown>) {
  const more: Extras = { ...extra, price_changed: { quote: shown['Quote'] } };
  const examples = codes.map((code) => [code, { value: { message: messages[code], code, ...more[code] } }]);
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(examples) as Record<string, unknown>,
      },
    },
  };
}
