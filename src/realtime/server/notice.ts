import { z } from 'zod';

/** Channels whose name starts with `prefix`, or the channel with that name. */
export const ChannelFilter = z.object({ prefix: z.string(), exact: z.boolean() });
export type ChannelFilter = z.infer<typeof ChannelFilter>;

const Entry = z.tuple([z.string(), z.string(), z.unknown()]);
/**
 * The messages between instances. `version` counts the sender's presence announcements, so that a lost one is noticed;
 * `ask` in a roster asks the others for theirs.
 */
export const Notice = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('roster'),
    from: z.string(),
    version: z.int(),
    entries: z.array(Entry),
    ask: z.boolean(),
  }),
  z.object({ kind: z.literal('join'), from: z.string(), version: z.int(), entry: Entry }),
  z.object({ kind: z.literal('leave'), from: z.string(), version: z.int(), channel: z.string(), user: z.string() }),
  z.object({ kind: z.literal('beat'), from: z.string(), version: z.int() }),
  z.object({ kind: z.literal('resend'), from: z.string(), to: z.string() }),
  z.object({ kind: z.literal('gap'), from: z.string() }),
  z.object({ kind: z.literal('bye'), from: z.string() }),
  z.object({ kind: z.literal('ask'), from: z.string(), id: z.string(), filter: ChannelFilter }),
  z.object({
    kind: z.literal('answer'),
    from: z.string(),
    id: z.string(),
    counts: z.array(z.tuple([z.string(), z.int()])),
  }),
  z.object({ kind: z.literal('disconnect'), from: z.string(), user: z.string(), code: z.int() }),
]);
export type Notice = z.infer<typeof Notice>;
