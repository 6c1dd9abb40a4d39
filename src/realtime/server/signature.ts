import { createHash, createHmac } from 'node:crypto';
import { isValidChannelName, isValidSocketId } from '#realtime/channels.ts';
import { equalInConstantTime } from '#platform/server/secrets/secret-store.ts';

export interface AppCredentials {
  key: string;
  secret: string;
}

/**
 * The `auth` of a subscription: `key:HMAC_SHA256(secret, socket_id:channel[:channel_data])`, as in the Pusher protocol.
 * `channelData` is the client's exact JSON. Throws RangeError for an invalid socket id or name.
 */
export function signChannel(app: AppCredentials, socketId: string, channel: string, channelData?: string): string {
  // Without this check, a signature for the socket id `1.1:private-a` would be valid for another channel of the socket
  // `1.1`.
  if (!isValidSocketId(socketId)) throw new RangeError('That is not a socket id.');
  if (!isValidChannelName(channel)) throw new RangeError('That is not a channel name.');
  return `${app.key}:${hmac(app.secret, joinSigned(socketId, channel, channelData))}`;
}

export function isChannelSigned(
  app: AppCredentials,
  auth: string,
  socketId: string,
  channel: string,
  channelData?: string,
): boolean {
  return equalInConstantTime(auth, signChannel(app, socketId, channel, channelData));
}

/** The `auth` of a user's sign-in. `userData` is the exact JSON with the user's `id`. */
export function signUser(app: AppCredentials, socketId: string, userData: string): string {
  if (!isValidSocketId(socketId)) throw new RangeError('That is not a socket id.');
  return `${app.key}:${hmac(app.secret, `${socketId}::user::${userData}`)}`;
}

export function isUserSigned(app: AppCredentials, auth: string, socketId: string, userData: string): boolean {
  return equalInConstantTime(auth, signUser(app, socketId, userData));
}

/** Signs a server API call: the method, the path, and the sorted query without `auth_signature`. */
export function signPusherHttpApiCall(
  app: AppCredentials,
  method: string,
  path: string,
  query: Record<string, string>,
) {
  const sorted = Object.keys(query)
    .filter((name) => name !== 'auth_signature')
    .sort()
    .map((name) => `${name}=${query[name]}`);
  return hmac(app.secret, [method.toUpperCase(), path, sorted.join('&')].join('\n'));
}

export function hashBody(body: string | Uint8Array): string {
  return createHash('md5').update(body).digest('hex');
}

function joinSigned(socketId: string, channel: string, channelData: string | undefined): string {
  return channelData === undefined ? `${socketId}:${channel}` : `${socketId}:${channel}:${channelData}`;
}

function hmac(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('hex');
}
