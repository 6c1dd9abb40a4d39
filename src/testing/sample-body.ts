import { randomUUID } from 'node:crypto';

/** The part of JSON Schema that the API's description uses. */
export interface JsonSchema {
  $ref?: string;
  type?: string;
  format?: string;
  pattern?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  minimum?: number;
  minItems?: number;
}

export type Components = Record<string, JsonSchema>;
/** Real ids of the shop, by the names of the fields for them. */
export type KnownIds = (field: string) => string | undefined;

/** A leaf or a branch of a body: its path, and its type. */
export interface Place {
  path: (string | number)[];
  kind: 'number' | 'text' | 'time' | 'date' | 'id' | 'other';
}

export interface Sample {
  value: unknown;
  places: Place[];
}

/** A body that the schema accepts, with every field filled, and the list of its places. */
export function makeSample(root: JsonSchema, components: Components, idOf: KnownIds): Sample {
  const places: Place[] = [];
  const build = (given: JsonSchema, path: (string | number)[]): unknown => {
    const schema = resolve(given, components);
    const field = String(path.findLast((part) => typeof part === 'string') ?? '');
    places.push({ path, kind: kindOf(schema) });
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return schema.enum[0];
    if (schema.type === 'object' || schema.properties) {
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, inner]) => [name, build(inner, [...path, name])]),
      );
    }
    if (schema.type === 'array') return schema.items ? [build(schema.items, [...path, 0])] : [];
    if (schema.type === 'integer' || schema.type === 'number') return Math.max(1, schema.minimum ?? 1);
    if (schema.type === 'boolean') return true;
    if (schema.type === 'null') return null;
    return textFor(schema, field, idOf);
  };
  const value = build(root, []);
  return { value, places };
}

/** The sample with another value at one place; `undefined` removes the field. */
export function withChange(sample: unknown, path: readonly (string | number)[], value: unknown): unknown {
  if (path.length === 0) return value;
  const copy = structuredClone(sample);
  let target = copy as Record<string | number, unknown>;
  for (const part of path.slice(0, -1)) target = target[part] as Record<string | number, unknown>;
  const last = path.at(-1) ?? '';
  if (value === undefined) delete target[last];
  else target[last] = value;
  return copy;
}

function resolve(schema: JsonSchema, components: Components): JsonSchema {
  if (schema.$ref) return resolve(components[schema.$ref.split('/').at(-1) ?? ''] ?? {}, components);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return resolve(choices.find(({ type }) => type !== 'null') ?? choices[0] ?? {}, components);
  if (schema.allOf) {
    const parts = schema.allOf.map((part) => resolve(part, components));
    return Object.assign({}, schema, ...parts, {
      properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
      allOf: undefined,
    });
  }
  return schema;
}

function kindOf({ type, format, enum: choices }: JsonSchema): Place['kind'] {
  if (type === 'integer' || type === 'number') return 'number';
  if (choices) return 'other';
  if (format === 'date-time') return 'time';
  if (format === 'date') return 'date';
  if (format === 'uuid') return 'id';
  return type === 'string' ? 'text' : 'other';
}

const words: Record<string, string> = {
  open: '12:00',
  close: '23:00',
  from: '12:00',
  to: '23:00',
  day_starts_at: '05:00',
  day: 'Monday',
  days: 'Monday',
  phone: '07700 900123',
  postcode: 'CV21 2AA',
  postcode_prefixes: 'CV21',
  currency: 'GBP',
  timezone: 'Europe/London',
  slug: 'a-shop',
  image: '/pictures/x.svg',
  password: 'correct horse',
  socket_id: '123.456',
  channel_name: 'private-orders.x',
  sha256: 'a'.repeat(64),
  version: '3.11.0',
  package: 'com.example.shop',
  signer: 'ab'.repeat(32),
  current_version: '3.10.18',
  platform: 'android',
};

function textFor({ format }: JsonSchema, field: string, idOf: KnownIds): string {
  if (format === 'uuid') return idOf(field) ?? randomUUID();
  if (format === 'email') return `${randomUUID()}@example.com`;
  if (format === 'date-time') return '2026-11-22T18:30:00Z';
  if (format === 'date') return '2026-11-22';
  if (format === 'uri') return 'https://example.com/x';
  return words[field] ?? 'words';
}
