import { z } from 'zod';

/**
 * The protocol's close codes. After 4000–4099 clients do not reconnect, after 4100–4199 they reconnect in a second, and
 * after 4200–4299 at once.
 */
export const CLOSE_CODES = {
  unknownKey: 4001,
  pathNotFound: 4005,
  invalidVersion: 4006,
  unsupportedVersion: 4007,
  missingVersion: 4008,
  unauthorized: 4009,
  overCapacity: 4100,
  reconnect: 4200,
  noPong: 4201,
} as const;

/** The code of a `pusher:error` for too many client events, after which the socket stays open. */
export const CLIENT_EVENT_RATE_ERROR = 4301;

export const PROTOCOL_VERSIONS: readonly number[] = [5, 6, 7];

/** Encodes an event for the wire. `data` is JSON text inside JSON, as in protocol 5 and later. */
export function encodeFrame(event: string, channel: string | null, dataText: string, userId?: string): string {
  const onChannel = channel === null ? '' : `,"channel":${JSON.stringify(channel)}`;
  const from = userId === undefined ? '' : `,"user_id":${JSON.stringify(userId)}`;
  return `{"event":${JSON.stringify(event)}${onChannel},"data":${JSON.stringify(dataText)}${from}}`;
}

/** Encodes an event's data: a string unchanged, any other value as JSON, like the official server libraries. */
export function encodeData(data: unknown): string {
  return typeof data === 'string' ? data : (JSON.stringify(data) ?? 'null');
}

export function encodeError(message: string, code: number | null = null): string {
  return encodeFrame('pusher:error', null, JSON.stringify({ message, code }));
}

export const PING_FRAME = encodeFrame('pusher:ping', null, '{}');
export const PONG_FRAME = encodeFrame('pusher:pong', null, '{}');

const ClientFrame = z.object({
  event: z.string().min(1).max(200),
  channel: z.string().optional(),
  data: z.unknown().optional(),
});
export type ClientFrame = z.infer<typeof ClientFrame>;

/** Parses a client's frame; null: not an event of the protocol. */
export function parseFrame(text: string): ClientFrame | null {
  return ClientFrame.safeParse(parseJson(text)).data ?? null;
}

export const SubscriptionData = z.object({
  channel: z.string(),
  auth: z.string().nullish(),
  channel_data: z.string().nullish(),
});
export type SubscriptionData = z.infer<typeof SubscriptionData>;

export const UnsubscriptionData = z.object({ channel: z.string() });

export const UserSignInData = z.object({ auth: z.string(), user_data: z.string() });

/**
 * Parses the data of a `pusher:` event; null: invalid. Some clients send the data as JSON text, others as an object.
 */
export function readEventData<T>(schema: z.ZodType<T>, data: unknown): T | null {
  const value = typeof data === 'string' ? parseJson(data) : data;
  return schema.safeParse(value).data ?? null;
}

/**
 * The key of the user's sign-in (`signInKeyOf`). The socket is closed when the sign-in ends. The key is optional,
 * because other programs may sign subscriptions without it.
 */
const SignedInBy = z.string().max(200).optional();

/** The content of an authorised `channel_data`. Numeric ids become strings. */
const ChannelMember = z.object({
  user_id: z.union([z.string().min(1).max(200), z.number()]).transform(String),
  user_info: z.unknown().optional(),
  signed_in_by: SignedInBy,
});
export type PresenceMember = z.infer<typeof ChannelMember>;

export function parseMember(channelData: string): PresenceMember | null {
  return ChannelMember.safeParse(parseJson(channelData)).data ?? null;
}

const SignedInUser = z.object({
  id: z.string().min(1).max(200),
  user_info: z.unknown().optional(),
  signed_in_by: SignedInBy,
});
export type SignedInUser = z.infer<typeof SignedInUser>;

export function parseSignedInUser(userData: string): SignedInUser | null {
  return SignedInUser.safeParse(parseJson(userData)).data ?? null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
