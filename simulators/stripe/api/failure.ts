import type Stripe from 'stripe';

/** An answer with an error, as Stripe writes them. */
export interface ErrorBody {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';
  message: string;
  code?: string;
  decline_code?: string;
  advice_code?: string;
  param?: string;
  charge?: string;
  payment_intent?: Stripe.PaymentIntent;
  payment_method?: Stripe.PaymentMethod;
  payment_method_type?: string;
  doc_url?: string;
  request_log_url?: string;
}

export class StripeFailure extends Error {
  status: number;
  body: ErrorBody;
  headers: Record<string, string>;

  constructor(status: number, body: ErrorBody, headers: Record<string, string> = {}) {
    super(body.message);
    this.status = status;
    this.body = body.code
      ? { ...body, doc_url: `https://stripe.com/docs/error-codes/${body.code.replaceAll('_', '-')}` }
      : body;
    this.headers = headers;
  }
}

/** A request that can never work: 400 unless another status is given. */
export function invalid(message: string, more: Partial<ErrorBody> & { status?: number } = {}): StripeFailure {
  const { status = 400, ...body } = more;
  return new StripeFailure(status, { type: 'invalid_request_error', message, ...body });
}

/** 404 for an id in the path, 400 for one in a parameter. */
export function missing(what: string, id: string, param: string, status: 400 | 404 = 404): StripeFailure {
  return invalid(`No such ${what}: '${id}'`, { code: 'resource_missing', param, status });
}

/** Adds to a refusal that the id belongs to an object of the other mode. */
export function inOtherMode(failure: StripeFailure, livemode: boolean): StripeFailure {
  const [other, own] = livemode ? ['test', 'live'] : ['live', 'test'];
  const hint = `a similar object exists in ${other} mode, but a ${own} mode key was used to make this request.`;
  return new StripeFailure(failure.status, { ...failure.body, message: `${failure.message}; ${hint}` });
}

/** A change of an intent that its status does not allow. */
export function wrongState(intent: Stripe.PaymentIntent, message: string): StripeFailure {
  return invalid(message, { code: 'payment_intent_unexpected_state', payment_intent: structuredClone(intent) });
}

export function tooManyRequests(retryAfter: number): StripeFailure {
  return new StripeFailure(
    429,
    {
      type: 'invalid_request_error',
      code: 'rate_limit',
      message:
        'Request rate limit exceeded. You can learn more about rate limits here https://stripe.com/docs/rate-limits.',
    },
    { 'retry-after': String(retryAfter), 'stripe-rate-limited-reason': 'global-rate' },
  );
}

export function serverError(status: 500 | 503): StripeFailure {
  return new StripeFailure(status, {
    type: 'api_error',
    message:
      'An unknown error occurred. If this problem persists, please contact us at https://support.stripe.com/contact/.',
  });
}
