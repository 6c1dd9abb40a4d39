export type Schemas = Record<string, Schema>;

interface Schema {
  properties?: Record<string, unknown>;
  enum?: unknown[];
  [keyword: string]: unknown;
}

/**
 * Payment methods that a shop in the United Kingdom can offer. The schemas describe no fields of any other payment
 * method.
 */
const described = new Set(['card', 'link', 'pay_by_bank', 'klarna', 'paypal', 'revolut_pay', 'amazon_pay']);
const root = /^Root(Checkout)?/;

/**
 * Keeps the root schemas, named by their types, and the schemas to which they refer. Empties the fields of payment
 * methods outside `described`. A definition that is used once is moved to its place of use.
 */
export function shrink(schemas: Schemas): Schemas {
  const others = new Set(otherMethods(schemas));
  for (const [name, schema] of Object.entries(schemas)) {
    if (!/(^PaymentMethod(Configuration)?|PaymentMethod(Options|Details|Data))$/.test(name)) continue;
    for (const property of Object.keys(schema.properties ?? {})) {
      if (schema.properties && others.has(property)) schema.properties[property] = {};
    }
  }
  // An event's object is validated by the object's own type, so the event allows any object.
  for (const name of ['Event.Data.Object', 'Event.Data.PreviousAttributes']) schemas[name] = { type: 'object' };
  const roots = Object.keys(schemas).filter((name) => root.test(name));
  const references = countReferences(schemas, roots);
  const inPlace = (schema: Schema): Schema =>
    JSON.parse(JSON.stringify(schema), (_, value: unknown) => {
      const to = referred(value);
      return to && references.get(to) === 1 ? inPlace(schemas[to] ?? {}) : value;
    }) as Schema;
  const kept = [...references].filter(([name, count]) => count > 1 && !root.test(name)).map(([name]) => name);
  const entries = [
    ...kept.map((name) => [name, inPlace(schemas[name] ?? {})] as const),
    ...roots.map((name) => [name.replace(root, ''), inPlace(schemas[name] ?? {})] as const),
  ].filter(([name, schema]) => referred(schema) !== name);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function countReferences(schemas: Schemas, roots: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  const follow = (name: string): void => {
    const seen = counts.get(name) ?? 0;
    counts.set(name, seen + 1);
    if (seen > 0) return;
    if (!schemas[name]) throw new Error(`No schema is named ${name}`);
    JSON.stringify(schemas[name], (_, value: unknown) => {
      const to = referred(value);
      if (to) follow(to);
      return value;
    });
  };
  for (const name of roots) follow(name);
  return counts;
}

function referred(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('$ref' in value)) return undefined;
  return String(value.$ref).slice('#/definitions/'.length);
}

function otherMethods(schemas: Schemas): string[] {
  const methods = schemas['PaymentIntent.AllowedPaymentMethodType']?.enum;
  if (!methods) throw new Error('The types do not list the methods of payment any more');
  const older = ['ach_credit_transfer', 'ach_debit', 'sepa_credit_transfer', 'stripe_account', 'wechat', 'custom'];
  return [...methods.map(String), ...older].filter((method) => !described.has(method));
}
