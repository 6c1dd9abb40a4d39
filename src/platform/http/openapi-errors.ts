import { keysOf } from '#platform/keys-of.ts';
import type { ErrorCode, ErrorTable } from '#platform/errors.ts';

/** The schema of every error's body. `members` are those that some errors have besides message and code. */
export function errorSchema(errors: ErrorTable, members: Record<string, unknown>) {
  return {
    type: 'object',
    required: ['message', 'code'],
    properties: {
      message: { type: 'string', description: 'For people.' },
      code: { type: 'string', enum: keysOf(errors), description: 'For programs: it never changes meaning.' },
      errors: {
        type: 'object',
        description: 'Messages by the path of the field that caused them.',
        additionalProperties: { type: 'array', items: { type: 'string' } },
      },
      ...members,
    },
  };
}

/** Errors by status, each written once under a name made of its codes. */
export function errorResponses(
  codes: Iterable<ErrorCode>,
  errors: ErrorTable,
): {
  links: Record<string, { $ref: string }>;
  components: Record<string, unknown>;
} {
  const byStatus = [...Map.groupBy(codes, (code) => errors[code].status)];
  const named = byStatus.map(([status, own]) => ({ status, own: own.toSorted(), name: own.toSorted().join('-') }));
  return {
    links: Object.fromEntries(named.map(({ status, name }) => [status, { $ref: `#/components/responses/${name}` }])),
    components: Object.fromEntries(named.map(({ name, own }) => [name, describeRefusals(own, errors)])),
  };
}

function describeRefusals(codes: readonly ErrorCode[], errors: ErrorTable) {
  const examples = codes.map((code) => {
    const { message, example } = errors[code];
    return [code, { value: { message, code, ...example } }];
  });
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
