import { z } from 'zod';

interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  minimum?: number;
  minLength?: number;
  minItems?: number;
  format?: string;
  pattern?: string;
}

/** Values by field name that a schema alone cannot give: ids of existing things, texts with a pattern. */
export type Samples = Record<string, unknown>;

/**
 * The smallest body that a schema accepts: its required fields, and the other fields in `alsoSend`. Throws if it cannot
 * invent a value, with the name of the field that needs a sample.
 */
export function minimalBody(schema: z.ZodType, samples: Samples, alsoSend: readonly string[] = []): unknown {
  // A JSON Schema is plain data; this type has the parts of it that the contract uses.
  const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as Schema;
  return make(described, '', samples, alsoSend);
}

function make(schema: Schema, path: string, samples: Samples, alsoSend: readonly string[]): unknown {
  const name = path.split('.').at(-1) ?? '';
  if (name in samples) return samples[name];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const choice = schema.anyOf?.[0] ?? schema.oneOf?.[0] ?? schema.allOf?.[0];
  if (choice) return make(choice, path, samples, alsoSend);
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([key]) => schema.required?.includes(key) || alsoSend.includes(key))
          .map(([key, inner]) => [key, make(inner, path === '' ? key : `${path}.${key}`, samples, alsoSend)]),
      );
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => make(schema.items ?? {}, path, samples, alsoSend));
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, 1);
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'string':
      if (!schema.pattern && !schema.format) return 'x'.repeat(Math.max(schema.minLength ?? 1, 1));
  }
  if (path === '' && schema.type === undefined) return {};
  throw new Error(`"${path}" needs a sample: ${JSON.stringify(schema)}`);
}
