import type { ErrorKind } from '#platform/errors.ts';

export const accountErrors = {
  already_set_up: { status: 409, message: 'The shop is set up already.' },
} as const satisfies Record<string, ErrorKind>;

type AccountErrors = typeof accountErrors;

declare module '#platform/errors.ts' {
  interface DomainErrors extends AccountErrors {}
}
