import type { World } from '../world.ts';
import { StripeFailure } from './failure.ts';

export interface Answer {
  status: number;
  body: unknown;
  headers: Record<string, string>;
}

interface Kept {
  path: string;
  /** A digest of the parameters. */
  params: string;
  at: number;
  /** Null while the first request is under way. */
  answer: Answer | null;
}

export interface Idempotency {
  /**
   * Begins a request with a key. Returns the first answer if there is one. Throws if the key is in use (409), or was
   * used with another path or other parameters (400).
   */
  begin(scope: string, key: string, path: string, params: string): Answer | undefined;
  /** Keeps the answer for repeats. */
  finish(scope: string, key: string, answer: Answer): void;
  /** Forgets the key: nothing was done. */
  forget(scope: string, key: string): void;
}

const longestKey = 255;
/** How long Stripe promises to remember a key. This one forgets it then, so that nobody relies on more. */
const keptFor = 86_400_000;

export function createIdempotency(world: World): Idempotency {
  const kept = new Map<string, Kept>();
  const nameOf = (scope: string, key: string) => `${scope} ${key}`;
  return {
    begin(scope, key, path, params) {
      if (key.length > longestKey) {
        throw conflict(400, `Idempotency keys must be at most ${longestKey} characters.`);
      }
      const name = nameOf(scope, key);
      const known = kept.get(name);
      if (!known || world.now() - known.at >= keptFor) {
        kept.set(name, { path, params, at: world.now(), answer: null });
        return undefined;
      }
      if (known.path !== path) {
        throw conflict(
          400,
          `Keys for idempotent requests can only be used for the same endpoint they were first used for ('${path}' vs '${known.path}'). Try using a key other than '${key}' if you meant to execute a different request.`,
        );
      }
      if (known.params !== params) {
        throw conflict(
          400,
          `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
        );
      }
      if (known.answer) return known.answer;
      throw conflict(
        409,
        `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
        'idempotency_key_in_use',
      );
    },
    finish(scope, key, answer) {
      const known = kept.get(nameOf(scope, key));
      if (known) known.answer = answer;
    },
    forget(scope, key) {
      kept.delete(nameOf(scope, key));
    },
  };
}

function conflict(status: 400 | 409, message: string, code?: string): StripeFailure {
  return new StripeFailure(status, { type: 'idempotency_error', message, ...(code && { code }) });
}
