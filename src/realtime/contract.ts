import { z } from 'zod';
import { m } from '#messages';
import { isValidSocketId } from '#realtime/channels.ts';

const UserRequest = z.object({
  socket_id: z.string().refine(isValidSocketId, { error: () => m.platform_socket_id() }),
});
const AuthRequest = UserRequest.extend({ channel_name: z.string().max(200).optional() });
/** The response that authorises a user. `user_data` is JSON: `{id, user_info: {name}}`. */
const UserAnswer = z.object({ auth: z.string(), user_data: z.string() });
const AuthAnswer = UserAnswer.partial({ user_data: true }).extend({ channel_data: z.string().optional() });

const authorise = {
  access: 'guest',
  summary: 'Sign a subscription to a private or presence channel; without `channel_name`, the sign-in of who calls.',
  body: AuthRequest,
  response: AuthAnswer,
  // The limit is high, because after an outage all people behind one address authorise their sockets again.
  rate: { burst: 300, perSecond: 10 },
  // No transaction and no audit line, because the call changes nothing.
  ownTransaction: true,
  errors: ['forbidden'],
} as const;

const authoriseUser = {
  access: 'customer',
  devices: true,
  summary: "Sign the caller in on their socket, for events of their own: `pusher-js`'s `signin()`.",
  body: UserRequest,
  response: UserAnswer,
  rate: { burst: 300, perSecond: 10 },
  ownTransaction: true,
} as const;

export const realtimeEndpoints = {
  'POST /v1/broadcasting/auth': authorise,
  /** The path that `laravel-echo` uses by default. */
  'POST /broadcasting/auth': authorise,
  'POST /v1/broadcasting/user-auth': authoriseUser,
  'POST /broadcasting/user-auth': authoriseUser,
  /** The path that `pusher-js` uses by default. */
  'POST /pusher/user-auth': authoriseUser,
} as const;
