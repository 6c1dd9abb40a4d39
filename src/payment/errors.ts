import type { ErrorDefinition } from '#platform/errors.ts';

export const paymentErrors = {
  invalid_signature: { status: 400, message: 'This message is not signed by the payment provider.' },
} as const satisfies Record<string, ErrorDefinition>;

type PaymentErrors = typeof paymentErrors;

declare module '#platform/errors.ts' {
  interface DomainErrors extends PaymentErrors {}
}
