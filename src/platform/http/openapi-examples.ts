import type { JsonSchema } from '#platform/http/openapi-schemas.ts';

/** Examples for schemas that alone say too little. */
export interface ExampleWords {
  /** Whole examples of schemas that have a name. */
  schemas: Record<string, unknown>;
  /** Values by field name; a value that the field's type does not accept is skipped. */
  fields: Record<string, unknown>;
}

interface Described {
  $ref?: string;
  type?: string;
  format?: string;
  pattern?: string;
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  examples?: unknown[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  minItems?: number;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
}

const id = '01a1fe5e-11a8-75c3-824c-4e752c42eeb3';
const byFormat: Record<string, string> = {
  uuid: id,
  email: 'ada@example.com',
  'date-time': '2026-11-21T18:00:00.000Z',
  date: '2026-11-21',
  uri: 'https://example.com/',
};

/**
 * An example value for a schema: the schema's own `examples` first, then the value for its name or its field, then the
 * simplest value of its type. Rules that only a refinement checks need such a value.
 */
export function exampleOf(
  given: JsonSchema,
  components: Record<string, JsonSchema>,
  words: ExampleWords,
  field = '',
): unknown {
  // A JSON schema is data; these are the parts of it that the contract's schemas use.
  const schema = given as Described;
  if (schema.examples) return schema.examples[0];
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1) ?? '';
    return name in words.schemas ? words.schemas[name] : exampleOf(components[name] ?? {}, components, words, field);
  }
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum.includes(words.fields[field]) ? words.fields[field] : schema.enum[0];
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) {
    const choice = choices.find((one) => one['type'] !== 'null') ?? choices[0] ?? {};
    return exampleOf(choice, components, words, field);
  }
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => exampleOf(part, components, words, field)));
  const told = words.fields[field];
  if (told !== undefined && fits(told, schema)) return told;
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, inner]) => [
          name,
          exampleOf(inner, components, words, name),
        ]),
      );
    case 'array':
      return Array.from({ length: Math.max(1, schema.minItems ?? 0) }, () =>
        exampleOf(schema.items ?? {}, components, words, field),
      );
    case 'integer':
    case 'number':
      return Math.min(Math.max(1, schema.minimum ?? 1, (schema.exclusiveMinimum ?? 0) + 1), schema.maximum ?? Infinity);
    case 'boolean':
      return true;
    case 'string':
      return byFormat[schema.format ?? ''] ?? 'Words'.padEnd(schema.minLength ?? 0, '.').slice(0, schema.maxLength);
    default:
      return null;
  }
}

function fits(value: unknown, { type, pattern }: Described): boolean {
  const kind = Array.isArray(value) ? 'array' : typeof value;
  if (kind !== (type === 'integer' ? 'number' : type)) return false;
  return typeof value !== 'string' || pattern === undefined || new RegExp(pattern).test(value);
}
