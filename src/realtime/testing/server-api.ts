import type { PusherHttpApiCall } from '#realtime/server/pusher-http-api.ts';
import { hashBody, signPusherHttpApiCall } from '#realtime/server/signature.ts';
import { APP } from '#realtime/testing/server.ts';

/** A call of the server API, signed as the official libraries sign it. */
export function signCall(
  method: string,
  path: string,
  rawBody = '',
  params: Record<string, string> = {},
): PusherHttpApiCall {
  const query: Record<string, string> = {
    ...params,
    auth_key: APP.key,
    auth_timestamp: String(Math.floor(Date.now() / 1000)),
    auth_version: '1.0',
    ...(rawBody && { body_md5: hashBody(rawBody) }),
  };
  const full = `/apps/${APP.appId}${path}`;
  return {
    method,
    path: full,
    rawBody,
    query: { ...query, auth_signature: signPusherHttpApiCall(APP, method, full, query) },
  };
}
