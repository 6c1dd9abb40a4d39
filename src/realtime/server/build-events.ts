import type { Db } from '#database/schema.ts';
import type { RealtimeEvent } from '#realtime/events.ts';
import type { BuildEvents, OutboxRow, Topic } from '#realtime/server/outbox.ts';

/** Builds the events for a topic's entries from the current data: a list for each entry, empty if its subject is gone. */
export type EventMaker = (tx: Db, entries: readonly OutboxRow[]) => Promise<RealtimeEvent[][]>;

/** Turns outbox entries into events: the domain of each topic builds them, in the order of the entries. */
export function createEventBuilder(makers: Record<Topic, EventMaker>): BuildEvents {
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

/** An event without a number describes the current state, so one is enough. */
function withoutRepeats(entries: readonly OutboxRow[]): OutboxRow[] {
  const last = new Map(entries.map((entry, index) => [`${entry.topic} ${entry.subjectId}`, index]));
  return entries.filter(
    (entry, index) => entry.sequence !== null || last.get(`${entry.topic} ${entry.subjectId}`) === index,
  );
}
