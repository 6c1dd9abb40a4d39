/** Every error code the API can answer, with its HTTP status. Clients switch on the code; it never changes meaning. */
export const errorStatus = {
  malformed_request: 400,
  invalid_signature: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  illegal_transition: 409,
  price_changed: 409,
  changed_meanwhile: 409,
  session_reused: 409,
  idempotency_conflict: 409,
  already_set_up: 409,
  hold_ended: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  invalid: 422,
  order_refused: 422,
  payment_declined: 422,
  too_many_requests: 429,
  internal: 500,
  payment_unavailable: 503,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** Messages by the path of the field that caused them, e.g. `{"lines.0.options": ["Choose a size."]}`. */
export type FieldErrors = Record<string, string[]>;

export interface ErrorDetail {
  errors?: FieldErrors;
  /** Extra top-level members of the body, e.g. the new quote of `price_changed`. */
  extra?: Record<string, unknown>;
  headers?: Record<string, string>;
}

/** A refusal that the caller is meant to see. Anything else that is thrown becomes a plain 500 without detail. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly detail: ErrorDetail;

  constructor(code: ErrorCode, message: string, detail: ErrorDetail = {}) {
    super(message);
    this.name = 'AppError';
    this.code = code;
    this.detail = detail;
  }

  get status(): number {
    return errorStatus[this.code];
  }

  get body(): { message: string; code: ErrorCode; errors?: FieldErrors } {
    const { errors, extra } = this.detail;
    return { message: this.message, code: this.code, ...(errors && { errors }), ...extra };
  }
}

/** A 422 that concerns one field. */
export function invalid(path: string, message: string): AppError {
  return new AppError('invalid', message, { errors: { [path]: [message] } });
}
