import { hashBody, signServerCall, type AppCredentials } from '#realtime/server/signature.ts';
import { equalInConstantTime } from '#platform/server/secrets/equal-in-constant-time.ts';

const MAX_CLOCK_DIFFERENCE_SECONDS = 600;

/** A call of the server API, independent of the HTTP layer; `query` is decoded, `rawBody` is the signed bytes. */
export interface ServerApiCall {
  method: string;
  /** Without the query, exactly as the caller signed it: `/apps/{id}/events`. */
  path: string;
  query: Readonly<Record<string, unknown>>;
  rawBody?: string | Uint8Array | null;
}

/**
 * Null when the call is signed by the application, otherwise the reason. The timestamp is checked, so that an intercepted
 * call cannot be replayed later. `now` is in milliseconds since 1970.
 */
export function findSignatureFault(app: AppCredentials, call: ServerApiCall, now: number): string | null {
  const query: Record<string, string> = {};
  for (const [name, value] of Object.entries(call.query)) {
    if (typeof value !== 'string') return `The query has ${name} more than once.`;
    query[name.toLowerCase()] = value;
  }
  if (query['auth_key'] !== app.key) return 'The auth_key is not known.';
  if (query['auth_version'] !== '1.0') return 'The auth_version must be 1.0.';

  const timestamp = query['auth_timestamp'] ?? '';
  const age = Math.abs(now / 1000 - Number(timestamp));
  if (!/^\d{1,12}$/.test(timestamp) || age > MAX_CLOCK_DIFFERENCE_SECONDS) {
    return 'The auth_timestamp is more than 600 seconds away from the time of the server.';
  }
  const body = call.rawBody ?? '';
  if (body.length > 0 && !equalInConstantTime(query['body_md5'] ?? '', hashBody(body))) {
    return 'The body_md5 does not fit the body.';
  }
  const expected = signServerCall(app, call.method, call.path, query);
  return equalInConstantTime(query['auth_signature'] ?? '', expected) ? null : 'The auth_signature is wrong.';
}
