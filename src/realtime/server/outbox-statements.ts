import { sql, type RawBuilder } from 'kysely';

/* Parts of SQL statements that write outbox entries for many things at once; `outbox.ts` does the same for one. */

/** The name that `storeOrdersChannel` gives. */
export function storeOrders(storeId: RawBuilder<unknown>) {
  return sql`'private-stores.' || ${storeId} || '.orders'`;
}

/** Increases channels' counters by their numbers of events, and returns each new value. `counts`: channel, number. */
export function countUp(counts: RawBuilder<unknown>) {
  return sql`insert into channel_sequences as c (channel, sequence) ${counts}
  on conflict (channel) do update set sequence = c.sequence + excluded.sequence
  returning channel, sequence`;
}

/** `events`: topic, event, store, subject, sequence. */
export function oweEvents(events: RawBuilder<unknown>) {
  return sql`insert into outbox (topic, event, store_id, subject_id, sequence) ${events}`;
}
