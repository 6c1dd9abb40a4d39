import { sql, type RawBuilder } from 'kysely';

/* What a statement that writes many things at once owes their listeners, as parts of it; `outbox.ts` does the same for one. */

/** As `storeOrdersChannel` names it. */
export function storeOrders(storeId: RawBuilder<unknown>) {
  return sql`'private-stores.' || ${storeId} || '.orders'`;
}

/** Counts channels up by their numbers of events, and answers each one's last. `counts`: channel, number. */
export function countUp(counts: RawBuilder<unknown>) {
  return sql`insert into channel_sequences as c (channel, sequence) ${counts}
  on conflict (channel) do update set sequence = c.sequence + excluded.sequence
  returning channel, sequence`;
}

/** `events`: topic, event, store, subject, sequence. */
export function oweEvents(events: RawBuilder<unknown>) {
  return sql`insert into outbox (topic, event, store_id, subject_id, sequence) ${events}`;
}
