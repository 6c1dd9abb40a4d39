import { z } from 'zod';
import { isValidSocketId } from '#realtime/channels.ts';

const AuthRequest = z.object({
  socket_id: z.string().max(100).refine(isValidSocketId),
  channel_name: z.string().max(200),
});
const AuthAnswer = z.object({ auth: z.string(), channel_data: z.string().optional() });

const authorise = {
  access: 'guest',
  summary: 'Sign a subscription to a private or presence channel.',
  body: AuthRequest,
  response: AuthAnswer,
  // It changes nothing, so there is nothing to write into the audit log either.
  ownTransaction: true,
  errors: ['forbidden'],
} as const;

export const realtime = {
  'POST /v1/broadcasting/auth': authorise,
  /** Where `laravel-echo` asks unless it is told otherwise. */
  'POST /broadcasting/auth': authorise,
} as const;
