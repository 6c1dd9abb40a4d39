import type { ErrorDefinition } from '#platform/errors.ts';

export const accountErrors = {
  second_factor_required: {
    status: 403,
    message: 'Enter a code from your authenticator app, or sign in with a passkey.',
    members: {
      ways: {
        type: 'array',
        items: { type: 'string', enum: ['totp', 'passkey', 'recovery_code'] },
        description: 'With `second_factor_required`: by what this account signs in beside the password.',
      },
    },
    example: { ways: ['totp', 'recovery_code'] },
  },
  already_set_up: { status: 409, message: 'The shop is set up already.' },
} as const satisfies Record<string, ErrorDefinition>;

type AccountErrors = typeof accountErrors;

declare module '#platform/errors.ts' {
  interface DomainErrors extends AccountErrors {}
}
