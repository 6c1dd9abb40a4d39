import type { Db } from '#database/schema.ts';
import type { RealtimeEvent } from '#realtime/events.ts';
import type { BuildEvents, OutboxRow } from '#realtime/server/outbox.ts';

/** Makes the events that a topic's entries stand for, from what is true now: a list for each, empty where it is gone. */
export type EventMaker = (tx: Db, entries: readonly OutboxRow[]) => Promise<RealtimeEvent[][]>;

/** Turns what the outbox owes into events: each topic's by the domain that it belongs to, in the order they are owed. */
export function createEventBuilder(makers: Record<OutboxRow['topic'], EventMaker>): BuildEvents {
  return async (tx, all) => {
    const entries = withoutRepeats(all);
    const made = new Map<OutboxRow, RealtimeEvent[]>();
    for (const topic of new Set(entries.map((entry) => entry.topic))) {
      const mine = entries.filter((entry) => entry.topic === topic);
      for (const [index, events] of (await makers[topic](tx, mine)).entries()) {
        const entry = mine[index];
        if (entry) made.set(entry, events);
      }
    }
    return entries.flatMap((entry) => made.get(entry) ?? []);
  };
}

/** What has no number says how things are now, so that once is enough. */
function withoutRepeats(entries: readonly OutboxRow[]): OutboxRow[] {
  const last = new Map(entries.map((entry, index) => [`${entry.topic} ${entry.subjectId}`, index]));
  return entries.filter(
    (entry, index) => entry.sequence !== null || last.get(`${entry.topic} ${entry.subjectId}`) === index,
  );
}
