import { sql, type RawBuilder } from 'kysely';
import type { ChannelNames } from '#realtime/channels.ts';

/* Parts of SQL statements that write outbox entries for many things at once; `outbox.ts` does the same for one. */

/** The name of a channel about the id in a column. */
export function channelOf({ before, after }: ChannelNames, id: RawBuilder<unknown>) {
  return sql`${sql.lit(before)} || ${id} || ${sql.lit(after)}`;
}

/** Increases channels' counters by their numbers of events, and returns each new value. `counts`: channel, number. */
export function countUp(counts: RawBuilder<unknown>) {
  return sql`insert into channel_sequences as c (channel, sequence) ${counts}
  on conflict (channel) do update set sequence = c.sequence + excluded.sequence
  returning channel, sequence`;
}

/** `events`: topic, event, scope, subject, sequence. */
export function addEntries(events: RawBuilder<unknown>) {
  return sql`insert into outbox (topic, event, store_id, subject_id, sequence) ${events}`;
}
