import { z } from 'zod';
import { channelKindOf, isValidChannelName } from '#realtime/channels.ts';
import type { ChannelFilter } from '#realtime/server/hub.ts';
import { encodeData } from '#realtime/server/protocol.ts';
import { type AppCredentials, hashBody, signPusherHttpApiCall } from '#realtime/server/signature.ts';
import { equalInConstantTime } from '#platform/server/secrets/secret-store.ts';

export interface PusherHttpApiAnswer {
  status: number;
  /** The JSON response; a refusal has `message` and a stable `code`. */
  body: Record<string, unknown>;
}

/** The functions that serve the API's calls. The counts and members cover all instances. */
export interface PusherHttpApiFunctions {
  publish(events: readonly { channel: string; event: string; data: unknown }[], exceptSocketId?: string): Promise<void>;
  countListeners(filter: ChannelFilter): Promise<Map<string, number>>;
  listMembers(channel: string): string[];
  terminateUser(userId: string): Promise<void>;
}

const SocketId = z.string().regex(/^\d+\.\d+$/);
const ChannelName = z.string().refine(isValidChannelName, 'The channel name is not valid.');
const EventName = z
  .string()
  .min(1)
  .max(200)
  .refine((name) => !/^pusher(_internal)?:/.test(name), 'Names that start with pusher: are reserved.');
const Trigger = z.object({
  name: EventName,
  data: z.unknown().refine((data) => data !== undefined, 'Required.'),
  channel: ChannelName.optional(),
  channels: z.array(ChannelName).min(1).max(100).optional(),
  socket_id: SocketId.nullish(),
  info: z.string().optional(),
});
type Trigger = z.infer<typeof Trigger>;
const Batch = z.object({
  batch: z
    .array(Trigger.required({ channel: true }))
    .min(1)
    .max(10),
});

/**
 * Creates the Pusher protocol's HTTP API. With this API, the official server libraries publish events, query channels,
 * and close all connections of a user.
 */
export function createPusherHttpApi(
  appId: string,
  app: AppCredentials,
  maxEventBytes: number,
  duties: PusherHttpApiFunctions,
): (call: PusherHttpApiCall) => Promise<PusherHttpApiAnswer> {
  const calls = makeCalls(maxEventBytes, duties);
  const terminate = async (userId: string): Promise<PusherHttpApiAnswer> => {
    await duties.terminateUser(userId);
    return { status: 200, body: {} };
  };
  const infoOf = ({ query }: PusherHttpApiCall) => String(query['info'] ?? '');
  const routes = new Map<
    string,
    (call: PusherHttpApiCall, name: string) => PusherHttpApiAnswer | Promise<PusherHttpApiAnswer>
  >([
    ['POST events', (call) => calls.trigger(readJson(call.rawBody))],
    ['POST batch_events', (call) => calls.triggerBatch(readJson(call.rawBody))],
    ['GET channels', (call) => calls.listChannels(String(call.query['filter_by_prefix'] ?? ''), infoOf(call))],
    ['GET channels *', (call, name) => calls.showChannel(name, infoOf(call))],
    ['GET channels * users', (_, name) => calls.listUsers(name)],
    ['POST users * terminate_connections', (_, name) => terminate(name)],
  ]);
  return async (call) => {
    const [id, ...rest] = splitPath(call.path);
    if (id !== appId) return refuse(404, 'not_found', 'The application is not known.');
    const fault = findSignatureFault(app, call, Date.now());
    if (fault) return refuse(401, 'unauthenticated', fault);

    const [collection, name = '', action] = rest;
    const route = [call.method.toUpperCase(), collection, ...(name && ['*']), action].filter(Boolean).join(' ');
    if (name && collection === 'channels' && !isValidChannelName(name)) {
      return refuse(400, 'invalid', 'The channel name is not valid.');
    }
    const answer = rest.length <= 3 ? routes.get(route) : undefined;
    return answer ? answer(call, name) : refuse(404, 'not_found', 'There is no such call.');
  };
}

function makeCalls(maxEventBytes: number, duties: PusherHttpApiFunctions) {
  function isTooLarge({ data }: Trigger): boolean {
    return Buffer.byteLength(encodeData(data)) > maxEventBytes;
  }

  async function trigger(body: unknown): Promise<PusherHttpApiAnswer> {
    const parsed = Trigger.safeParse(body);
    if (!parsed.success) return refuse(400, 'invalid', z.prettifyError(parsed.error));
    const { name, data, socket_id: except, info } = parsed.data;
    const channels = parsed.data.channels ?? (parsed.data.channel === undefined ? [] : [parsed.data.channel]);
    if (channels.length === 0) return refuse(400, 'invalid', 'An event needs a channel.');
    if (isTooLarge(parsed.data)) return refuse(413, 'too_large', `The data may have ${maxEventBytes} bytes.`);
    await duties.publish(
      channels.map((channel) => ({ channel, event: name, data })),
      except ?? undefined,
    );
    if (!info) return { status: 200, body: {} };
    const described = await Promise.all(channels.map(async (channel) => [channel, await describe(channel, info)]));
    return { status: 200, body: { channels: Object.fromEntries(described) } };
  }

  async function triggerBatch(body: unknown): Promise<PusherHttpApiAnswer> {
    const parsed = Batch.safeParse(body);
    if (!parsed.success) return refuse(400, 'invalid', z.prettifyError(parsed.error));
    const { batch } = parsed.data;
    if (batch.some(isTooLarge)) return refuse(413, 'too_large', `The data may have ${maxEventBytes} bytes.`);
    for (const { channel, name, data, socket_id: except } of batch) {
      await duties.publish([{ channel, event: name, data }], except ?? undefined);
    }
    if (!batch.some(({ info }) => info)) return { status: 200, body: {} };
    return { status: 200, body: { batch: await Promise.all(batch.map((it) => describe(it.channel, it.info ?? ''))) } };
  }

  /** The requested counts of a channel. `info` names them, separated by commas: `user_count`, `subscription_count`. */
  async function describe(channel: string, info: string): Promise<Record<string, number>> {
    const wanted = info.split(',');
    const described: Record<string, number> = {};
    if (wanted.includes('user_count') && isPresence(channel))
      described['user_count'] = duties.listMembers(channel).length;
    if (wanted.includes('subscription_count')) described['subscription_count'] = await countOne(channel);
    return described;
  }

  async function countOne(channel: string): Promise<number> {
    return (await duties.countListeners({ prefix: channel, exact: true })).get(channel) ?? 0;
  }

  async function listChannels(prefix: string, info: string): Promise<PusherHttpApiAnswer> {
    const wanted = info.split(',');
    if (wanted.includes('user_count') && !isPresence(prefix)) {
      return refuse(400, 'invalid', 'user_count needs filter_by_prefix=presence-');
    }
    const counts = await duties.countListeners({ prefix, exact: false });
    const channels: Record<string, object> = {};
    for (const [channel, count] of counts) {
      if (channelKindOf(channel) === 'user') continue;
      channels[channel] = {
        ...(wanted.includes('user_count') && { user_count: duties.listMembers(channel).length }),
        ...(wanted.includes('subscription_count') && { subscription_count: count }),
      };
    }
    return { status: 200, body: { channels } };
  }

  async function showChannel(channel: string, info: string): Promise<PusherHttpApiAnswer> {
    if (info.split(',').includes('user_count') && !isPresence(channel)) {
      return refuse(400, 'invalid', 'Only presence channels have a user_count.');
    }
    const occupied = (await countOne(channel)) > 0;
    return { status: 200, body: { occupied, ...(await describe(channel, info)) } };
  }

  function listUsers(channel: string): PusherHttpApiAnswer {
    if (!isPresence(channel)) return refuse(400, 'invalid', 'Only presence channels have users.');
    return { status: 200, body: { users: duties.listMembers(channel).map((id) => ({ id })) } };
  }

  return { trigger, triggerBatch, listChannels, showChannel, listUsers };
}

function refuse(status: number, code: string, message: string): PusherHttpApiAnswer {
  return { status, body: { message, code } };
}

function isPresence(channel: string): boolean {
  return channelKindOf(channel) === 'presence';
}

/** The decoded segments of the path after `/apps/`, the application's id first; empty for other paths. */
function splitPath(path: string): string[] {
  if (!path.startsWith('/apps/')) return [];
  try {
    return path.slice('/apps/'.length).split('/').map(decodeURIComponent);
  } catch {
    return [];
  }
}

function readJson(rawBody: string | Uint8Array | null | undefined): unknown {
  try {
    return JSON.parse(typeof rawBody === 'string' ? rawBody : Buffer.from(rawBody ?? []).toString());
  } catch {
    return undefined;
  }
}

const MAX_CLOCK_DIFFERENCE_SECONDS = 600;

/** A server API call, independent of the HTTP layer. `query` is decoded; `rawBody` has the signed bytes. */
export interface PusherHttpApiCall {
  method: string;
  /** The path without its query, exactly as it was signed: `/apps/{id}/events`. */
  path: string;
  query: Readonly<Record<string, unknown>>;
  rawBody?: string | Uint8Array | null;
}

/**
 * Returns the fault of a call's signature; null: the application signed the call. The timestamp limits replays to ten
 * minutes. `now`: epoch ms.
 */
export function findSignatureFault(app: AppCredentials, call: PusherHttpApiCall, now: number): string | null {
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
  const expected = signPusherHttpApiCall(app, call.method, call.path, query);
  return equalInConstantTime(query['auth_signature'] ?? '', expected) ? null : 'The auth_signature is wrong.';
}
