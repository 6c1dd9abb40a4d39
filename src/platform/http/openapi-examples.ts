import { z } from 'zod';

/** Values for examples whose generated value would be meaningless. */
export interface ExampleValues {
  schemas: Record<string, unknown>;
  /** Values by field name; a value of the wrong type is ignored. */
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
 * Returns an example of a schema: its own `examples`, else the value in `words` for its name or field, else the
 * simplest value. A schema with a refinement needs `examples` or a value in `words`, because the simplest value may be
 * invalid.
 */
export function exampleOfSchema(
  given: JsonSchema,
  components: Record<string, JsonSchema>,
  words: ExampleValues,
  field = '',
): unknown {
  // The cast is safe, because `Described` has all JSON Schema keywords that the contract uses.
  const schema = given as Described;
  const told = words.fields[field];
  const inside = (inner: JsonSchema, name = field) => exampleOfSchema(inner, components, words, name);
  if (schema.examples) return schema.examples[0];
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1) ?? '';
    return name in words.schemas ? words.schemas[name] : inside(components[name] ?? {});
  }
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum.includes(told) ? told : schema.enum[0];
  const choice = choiceOf(schema);
  if (choice) return inside(choice);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => inside(part)));
  if (told !== undefined && fits(told, schema)) return told;
  return exampleOfType(schema, inside);
}

function choiceOf({ anyOf, oneOf }: Described): JsonSchema | undefined {
  const choices = anyOf ?? oneOf ?? [];
  return choices.find((one) => one['type'] !== 'null') ?? choices[0];
}

/** Returns the simplest value of a schema's type; `inside` creates the members' examples. */
function exampleOfType(schema: Described, inside: (inner: JsonSchema, field?: string) => unknown): unknown {
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, inner]) => [name, inside(inner, name)]),
      );
    case 'array':
      return Array.from({ length: Math.max(1, schema.minItems ?? 0) }, () => inside(schema.items ?? {}));
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

type JsonSchema = Record<string, unknown>;
type Side = 'input' | 'output';

export interface SchemaConverter {
  /** The JSON schema of a Zod schema's input or output, with references for named schemas. */
  schemaOf(schema: z.ZodType, side: Side): JsonSchema;
  components: Record<string, JsonSchema>;
}

/**
 * Converts Zod schemas to JSON schemas. A named schema whose input differs from its output (by a default or transform)
 * becomes two schemas: `Thing` and `ThingInput`.
 */
export function createSchemaConverter(named: Record<string, z.ZodType>): SchemaConverter {
  const registries = { input: z.registry<{ id: string }>(), output: z.registry<{ id: string }>() };
  for (const [name, schema] of Object.entries(named)) {
    const isSame = JSON.stringify(toJsonSchema(schema, 'input')) === JSON.stringify(toJsonSchema(schema, 'output'));
    registries.output.add(schema, { id: name });
    registries.input.add(schema, { id: isSame ? name : `${name}Input` });
  }
  const components: Record<string, JsonSchema> = {};
  return {
    components,
    schemaOf(schema, side) {
      // The schema is wrapped in an object, because a named schema at the root would be inlined and not referenced.
      const { $defs = {}, properties } = relink(toJsonSchema(z.object({ root: schema }), side, registries[side])) as {
        $defs?: Record<string, JsonSchema>;
        properties: { root: JsonSchema };
      };
      for (const [name, { id: _id, ...own }] of Object.entries($defs)) components[name] ??= own;
      return properties.root;
    },
  };
}

function toJsonSchema(schema: z.ZodType, io: Side, metadata?: z.core.$ZodRegistry<{ id: string }>): JsonSchema {
  return z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    reused: 'inline',
    metadata: metadata ?? z.registry(),
    // `.meta({ examples })` stores the examples in Zod's global registry. They are copied from there, because the
    // registry in `metadata` has only names.
    override: ({ zodSchema, jsonSchema }) => {
      const examples = z.globalRegistry.get(zodSchema)?.['examples'];
      if (Array.isArray(examples)) jsonSchema.examples = examples;
    },
  }) as JsonSchema;
}

function relink(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(relink);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string' ? inner.replace('#/$defs/', '#/components/schemas/') : relink(inner),
    ]),
  );
}
