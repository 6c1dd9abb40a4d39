import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;
type Side = 'input' | 'output';

export interface SchemaBook {
  /** The JSON schema of one side; schemas with a name are referred to, not written out again. */
  schemaOf(schema: z.ZodType, side: Side): JsonSchema;
  /** Every named schema that was referred to. */
  components: Record<string, JsonSchema>;
}

/**
 * Writes Zod schemas as JSON schemas. A schema whose input and output differ (a default, a transform) is written
 * twice: `Thing` as it is answered, `ThingInput` as it is sent.
 */
export function openSchemaBook(named: Record<string, z.ZodType>): SchemaBook {
  const registries = { input: z.registry<{ id: string }>(), output: z.registry<{ id: string }>() };
  for (const [name, schema] of Object.entries(named)) {
    const isSame = JSON.stringify(write(schema, 'input')) === JSON.stringify(write(schema, 'output'));
    registries.output.add(schema, { id: name });
    registries.input.add(schema, { id: isSame ? name : `${name}Input` });
  }
  const components: Record<string, JsonSchema> = {};
  return {
    components,
    schemaOf(schema, side) {
      // Wrapped, because a schema at the root is written out even when it has a name.
      const { $defs = {}, properties } = relink(write(z.object({ root: schema }), side, registries[side])) as {
        $defs?: Record<string, JsonSchema>;
        properties: { root: JsonSchema };
      };
      for (const [name, { id: _id, ...own }] of Object.entries($defs)) components[name] ??= own;
      return properties.root;
    },
  };
}

function write(schema: z.ZodType, io: Side, metadata?: z.core.$ZodRegistry<{ id: string }>): JsonSchema {
  return z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    reused: 'inline',
    metadata: metadata ?? z.registry(),
    // `.meta({ examples })` is kept in the global registry, not in the one that gives names.
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
