export interface ErrorDefinition {
  status: number;
  /** An example of the message. Clients must rely on the code alone. */
  message: string;
  /** JSON schemas of the error body's additional members; `example` has example values of these members. */
  members?: Record<string, unknown>;
  example?: Record<string, unknown>;
}

/** The error codes that any call may return. Clients switch on the code, whose meaning never changes. */
export const commonErrors = {
  malformed_request: { status: 400, message: 'The body is not valid JSON.' },
  unauthenticated: { status: 401, message: 'Unauthenticated.' },
  forbidden: { status: 403, message: 'You are not allowed to do this.' },
  fresh_sign_in_required: { status: 403, message: 'Confirm first that it is you, by signing in again.' },
  not_found: { status: 404, message: 'Not found.' },
  method_not_allowed: { status: 405, message: 'This address does not accept PUT.' },
  request_timeout: { status: 408, message: 'The request took too long to arrive.' },
  conflict: { status: 409, message: 'This was changed by somebody else meanwhile.' },
  changed_meanwhile: {
    status: 409,
    message: 'Someone else has changed this in the meantime.',
    members: {
      current: { type: 'object', description: 'With `changed_meanwhile`: the thing as it is now.' },
      fields: {
        type: 'array',
        items: { type: 'string' },
        description: 'With `changed_meanwhile`: what somebody else changed.',
      },
    },
    example: { fields: ['name'], current: { name: 'Sides' } },
  },
  idempotency_conflict: { status: 409, message: 'This Idempotency-Key was used for another call.' },
  payload_too_large: { status: 413, message: 'The request is too large.' },
  unsupported_media_type: { status: 415, message: 'Send the body as application/json.' },
  invalid: {
    status: 422,
    message: 'Choose at least 1.',
    example: { errors: { 'lines.0.quantity': ['Choose at least 1.'] } },
  },
  too_many_requests: { status: 429, message: 'Too many attempts. Wait a moment and try again.' },
  internal: { status: 500, message: 'Something went wrong on our side. Please try again.' },
  unavailable: { status: 503, message: 'Not available just now. Please try again.' },
} as const satisfies Record<string, ErrorDefinition>;

/** The domains' error codes. Each domain adds the codes of its `errors.ts` by declaration merging. */
// oxlint-disable-next-line typescript/no-empty-interface, typescript/no-empty-object-type -- it is filled in elsewhere
export interface DomainErrors {}

export type ErrorCode = keyof typeof commonErrors | keyof DomainErrors;
export type ErrorTable = Readonly<Record<ErrorCode, ErrorDefinition>>;

/** Messages by the path of the field that caused them, e.g. `{"address.city": ["Required."]}`. */
export type FieldErrors = Record<string, string[]>;

export interface ErrorDetail {
  errors?: FieldErrors;
  /** Additional top-level members of the body, e.g. the fields of `changed_meanwhile`. */
  extra?: Record<string, unknown>;
  headers?: Record<string, string>;
}

/** An error that the caller gets with its code and message. Any other error becomes a plain 500 without details. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly detail: ErrorDetail;

  constructor(code: ErrorCode, message: string, detail: ErrorDetail = {}) {
    super(message);
    this.name = 'AppError';
    this.code = code;
    this.detail = detail;
  }

  get body(): { message: string; code: ErrorCode; errors?: FieldErrors } {
    const { errors, extra } = this.detail;
    return { message: this.message, code: this.code, ...(errors && { errors }), ...extra };
  }
}

export function invalidFieldError(path: string, message: string): AppError {
  return new AppError('invalid', message, { errors: { [path]: [message] } });
}

/** An invalid setting, with a message for the person who starts the server. The server does not start. */
export class ConfigError extends Error {}
