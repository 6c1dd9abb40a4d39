import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import schemas from '../schemas.json' with { type: 'json' };
import { type FormValue, paramName } from './form-encoding.ts';
import { invalid, type StripeFailure } from './failure.ts';

/** The version of the API whose types the schemas were made from. */
export const apiVersion: string = schemas.apiVersion;

const shared = { strict: false, allErrors: true, validateFormats: false, inlineRefs: false } as const;
const params = new Ajv({ ...shared, coerceTypes: true });
const answers = new Ajv(shared);
for (const ajv of [params, answers]) ajv.addSchema({ $id: 'stripe', definitions: schemas.definitions });

const made = new Map<string, ValidateFunction>();

/** `type` is a definition, or the path of a schema in one. */
function validatorOf(ajv: Ajv, type: string): ValidateFunction {
  const name = `${ajv === params ? 'params' : 'answers'} ${type}`;
  const known = made.get(name);
  if (known) return known;
  const [definition = ''] = type.split('/');
  if (!(definition in schemas.definitions))
    throw new Error(`No schema for ${definition}. Name it in scripts/stripe-schemas/types.ts`);
  const validate = ajv.compile({ $ref: `stripe#/definitions/${type}` });
  made.set(name, validate);
  return validate;
}

/** Turns the text of numbers and booleans into what the type has. Returns what Stripe answers to a wrong parameter. */
export function readParams(type: string, sent: Record<string, FormValue>): StripeFailure | undefined {
  const validate = validatorOf(params, type);
  if (!validate(sent)) return refusal(validate.errors ?? [], sent);
  return wrongMetadata(sent, []) ?? undefined;
}

/** The types of objects, by their field `object`. */
const typesOfObjects: Readonly<Record<string, string>> = {
  account: 'Account',
  balance: 'Balance',
  balance_transaction: 'BalanceTransaction',
  charge: 'Charge',
  'checkout.session': 'Session',
  coupon: 'Coupon',
  customer: 'Customer',
  dispute: 'Dispute',
  event: 'EventBase',
  item: 'LineItem',
  payment_intent: 'PaymentIntent',
  payment_method: 'PaymentMethod',
  payment_method_configuration: 'PaymentMethodConfiguration',
  payment_method_domain: 'PaymentMethodDomain',
  payout: 'Payout',
  refund: 'Refund',
  webhook_endpoint: 'WebhookEndpoint',
};

/** What is wrong with an answer, compared with the types; nothing if it is as they say. */
export function faultsOfAnswer(answer: unknown): string[] {
  if (!isObject(answer)) return ['an answer is no object'];
  if (answer.object === 'list') {
    const rows = Array.isArray(answer.data) ? answer.data : [];
    const own = ['url', 'has_more', 'data'].filter((key) => !(key in answer)).map((key) => `a list has no ${key}`);
    return [...own, ...rows.flatMap((row) => faultsOfAnswer(row))];
  }
  const name = String(answer.object);
  const type = typesOfObjects[name];
  if (!type) return [`no type for an object ${name}`];
  const validate = validatorOf(answers, answer.deleted === true ? `Deleted${type}` : type);
  const own = validate(answer) ? [] : deepest(validate.errors ?? []).map((error) => `${name}${textOf(error)}`);
  const inside = name === 'event' && isObject(answer.data) ? faultsOfAnswer(answer.data.object) : [];
  return [...new Set([...own, ...inside])].slice(0, 10);
}

/** The types name an error only as the last one of an intent; it is the same object in an answer. */
const errorType = 'PaymentIntent/properties/last_payment_error/anyOf/0';

/** The faults of an error answer, `{error: {…}}`. */
export function faultsOfError(answer: unknown): string[] {
  if (!isObject(answer) || Object.keys(answer).join() !== 'error') return ['an error is not in `error`'];
  const validate = validatorOf(answers, errorType);
  if (validate(answer.error)) return [];
  return [...new Set(deepest(validate.errors ?? []).map((error) => `error${textOf(error)}`))].slice(0, 10);
}

/**
 * Without the errors that only say that something inside is wrong: `must be null`, where an object has a wrong field.
 */
function deepest(errors: readonly ErrorObject[]): ErrorObject[] {
  const paths = errors.map(({ instancePath }) => instancePath);
  const isOuter = ({ instancePath }: ErrorObject) => paths.some((path) => path.startsWith(`${instancePath}/`));
  return errors.filter((error) => !(vague.has(error.keyword) && isOuter(error)));
}

const vague = new Set(['anyOf', 'type', 'const', 'enum']);

function textOf(error: ErrorObject): string {
  return `${error.instancePath} ${error.message ?? ''} ${JSON.stringify(error.params)}`;
}

function refusal(errors: readonly ErrorObject[], sent: Record<string, FormValue>): StripeFailure {
  const [error] = [...errors].sort((a, b) => rank(a) - rank(b));
  if (!error) return invalid('Invalid request');
  const path = error.instancePath.split('/').slice(1);
  const param = paramName(path);
  switch (error.keyword) {
    case 'additionalProperties': {
      const name = paramName([...path, String(error.params.additionalProperty)]);
      return invalid(`Received unknown parameter: ${name}`, { code: 'parameter_unknown', param: name });
    }
    case 'required': {
      const name = paramName([...path, String(error.params.missingProperty)]);
      return invalid(`Missing required param: ${name}.`, { code: 'parameter_missing', param: name });
    }
    case 'enum':
    case 'const': {
      const allowed: unknown[] = error.keyword === 'enum' ? error.params.allowedValues : [error.params.allowedValue];
      const words = allowed.length > 1 ? `one of ${allowed.slice(0, -1).join(', ')}, or ${allowed.at(-1)}` : allowed[0];
      return invalid(`Invalid ${param}: must be ${words}`, { param });
    }
    default: {
      const value = path.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), sent);
      if (error.params.type === 'number') {
        return invalid(`Invalid integer: ${String(value)}`, { code: 'parameter_invalid_integer', param });
      }
      if (value === '') {
        return invalid(
          `You passed an empty string for '${param}'. We assume empty values are an attempt to unset a parameter; however '${param}' cannot be unset. You should remove '${param}' from your request or supply a non-empty value.`,
          { code: 'parameter_invalid_empty', param },
        );
      }
      return invalid(`Invalid ${param}: ${error.message}`, { param });
    }
  }
}

/** The error that says most: an unknown name first, then what is deepest inside. */
function rank(error: ErrorObject): number {
  if (error.keyword === 'anyOf' || error.keyword === 'if') return 1000;
  const depth = error.instancePath.split('/').length;
  return (error.keyword === 'additionalProperties' ? -500 : 0) - depth;
}

const most = { keys: 50, name: 40, value: 500 };

function wrongMetadata(value: unknown, path: readonly string[]): StripeFailure | null {
  if (!isObject(value)) return null;
  for (const [key, inner] of Object.entries(value)) {
    const at = [...path, key];
    const found = key === 'metadata' && isObject(inner) ? checkMetadata(inner, at) : wrongMetadata(inner, at);
    if (found) return found;
  }
  return null;
}

function checkMetadata(metadata: Record<string, unknown>, path: readonly string[]): StripeFailure | null {
  const param = paramName(path);
  const names = Object.keys(metadata);
  if (names.length > most.keys) {
    return invalid(`You can only specify up to ${most.keys} metadata keys; you passed ${names.length}.`, { param });
  }
  for (const [name, value] of Object.entries(metadata)) {
    if (name.length > most.name) {
      return invalid(`Metadata keys must be at most ${most.name} characters; '${name}' has ${name.length}.`, { param });
    }
    const text = String(value ?? '');
    if (text.length > most.value) {
      return invalid(
        `Metadata values can have up to ${most.value} characters, but you passed in a value that is ${text.length} characters. Invalid value: ${text.slice(0, 20)}…`,
        { param: `${param}[${name}]` },
      );
    }
  }
  return null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
