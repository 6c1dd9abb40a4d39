import { type OrderTimelineEntry, createTimelineEntry } from '#database/order-timeline-entry.ts';
import { type RawBuilder, sql } from 'kysely';
import { preparedStatementHint } from '#database/connect.ts';
import type { DueWork } from '#database/jobs/due-work.ts';
import type { RealtimeEvent } from '#realtime/events.ts';
import type { Db, Tx } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import type { ChannelNamePattern } from '#realtime/channels.ts';

/** The topics of events. Each domain adds its topics by declaration merging. */
export interface OutboxTopics {}
type Topic = keyof OutboxTopics;

/** A committed change to publish to clients. Its event is built from the data at the time of sending. */
export interface OutboxEntry {
  /** The topic determines the domain that builds the event. */
  topic: Topic;
  event: string;
  /** The scope whose staff the change concerns (`Viewer.scopes`). */
  scopeId: string;
  subjectId: string;
  /**
   * The channel whose counter gives the event its number. Without a channel, repeated entries of a subject are sent as
   * one event.
   */
  countedOn?: string;
}

type OutboxRow = Omit<OutboxEntry, 'countedOn'> & { sequence: number | null };
/** Builds the events of outbox rows; a row whose subject is missing is dropped. */
type BuildEvents = (tx: Tx, entries: OutboxRow[]) => Promise<RealtimeEvent[]>;

export interface Outbox {
  add(tx: Tx, entry: OutboxEntry): Promise<void>;
  /** Sends the outbox soon; called after the commit. */
  wake(): void;
  /** Stops sending. Resolves when a batch that is being sent is finished. */
  stop(): Promise<void>;
}

const batch = 200;

/**
 * Starts to send the outbox. An event is sent at least once: its row is deleted in the transaction that publishes it,
 * so a rollback leads to a second sending. `leftBehind`: the due work that sends the entries of stopped instances.
 */
export function startOutbox(
  db: Db,
  build: BuildEvents,
  publish: (events: RealtimeEvent[]) => Promise<void>,
  onError: (error: unknown) => void,
): Outbox & { leftBehind: DueWork<boolean> } {
  let running: Promise<void> | null = null;
  let isAwaited = false;
  let isStopped = false;

  const wake = () => {
    if (isStopped) return;
    if (running) {
      isAwaited = true;
      return;
    }
    running = drain()
      .catch(onError)
      .finally(() => {
        running = null;
        if (!isAwaited) return;
        isAwaited = false;
        wake();
      });
  };

  const drain = async () => {
    while (!isStopped && (await sendBatch(db, build, publish)) === batch);
  };

  return {
    add: addOutboxEntry,
    wake,
    leftBehind: {
      name: 'outbox',
      due: () => sql<boolean>`exists (select from outbox)`,
      work: async () => wake(),
    },
    async stop() {
      isStopped = true;
      await running;
    },
  };
}

/** Adds an entry like `Outbox.add`, for code that runs before the application exists. */
export async function addOutboxEntry(tx: Tx, entry: OutboxEntry): Promise<void> {
  const sequence = entry.countedOn === undefined ? null : await nextSequence(tx, entry.countedOn);
  await tx
    .insertInto('outbox')
    .values({
      topic: entry.topic,
      event: entry.event,
      store_id: entry.scopeId,
      subject_id: entry.subjectId,
      sequence,
    })
    .execute();
}

async function sendBatch(
  db: Db,
  build: BuildEvents,
  publish: (events: RealtimeEvent[]) => Promise<void>,
): Promise<number> {
  return inTransaction(db, async (tx) => {
    const { rows } = await sql<{
      topic: Topic;
      event: string;
      scopeId: string;
      subjectId: string;
      sequence: string | null;
    }>`${preparedStatementHint}
      with sent as (
        delete from outbox where id in (select id from outbox order by id limit ${batch} for update skip locked)
        returning id, topic, event, store_id, subject_id, sequence
      )
      select topic, event, store_id as "scopeId", subject_id as "subjectId", sequence from sent order by id`.execute(
      tx,
    );
    if (rows.length === 0) return 0;
    const entries = rows.map(({ sequence, ...entry }) => ({
      ...entry,
      sequence: sequence === null ? null : Number(sequence),
    }));
    const events = await build(tx, entries);
    if (events.length > 0) await publish(events);
    return rows.length;
  });
}

/** Increments a channel's counter. The counter's row lock makes the numbers follow the order of commits. */
async function nextSequence(tx: Tx, channel: string): Promise<number> {
  const row = await tx
    .insertInto('channel_sequences')
    .values({ channel, sequence: 1 })
    .onConflict((conflict) =>
      conflict.column('channel').doUpdateSet({ sequence: sql<number>`channel_sequences.sequence + 1` }),
    )
    .returning('sequence')
    .executeTakeFirstOrThrow();
  return Number(row.sequence);
}

/** Reads the unsent events about a subject. The outbox stores no times, so each event gets the current time. */
export async function readUnsentEvents(db: Db, id: string): Promise<OrderTimelineEntry[]> {
  const rows = await db.selectFrom('outbox').select(['event', 'topic']).where('subject_id', '=', id).execute();
  return rows.map(({ event: name, topic }) =>
    createTimelineEntry('event', new Date(), `${name} waits to be sent (${topic})`),
  );
}

/** The number of unsent events, as a column of a statement. */
export const unsentEventCountColumn = sql<number>`(select count(*)::int from outbox)`;

/* SQL that writes outbox entries for many subjects at once; `addOutboxEntry` writes one entry. */

export function channelNameSql({ before, after }: ChannelNamePattern, id: RawBuilder<unknown>) {
  return sql`${sql.lit(before)} || ${id} || ${sql.lit(after)}`;
}

/**
 * Increases the channels' counters by the number of new events, and returns the counters. `counts` selects each channel
 * and its number of new events.
 */
export function incrementSequencesSql(counts: RawBuilder<unknown>) {
  return sql`insert into channel_sequences as c (channel, sequence) ${counts}
  on conflict (channel) do update set sequence = c.sequence + excluded.sequence
  returning channel, sequence`;
}

/** Adds entries to the outbox. `events` selects topic, event, scope, subject and sequence. */
export function addOutboxEntriesSql(events: RawBuilder<unknown>) {
  return sql`insert into outbox (topic, event, store_id, subject_id, sequence) ${events}`;
}

/**
 * Builds the events of outbox rows from current data, one list per row. The list is empty if the subject is missing.
 */
export type EventMaker = (tx: Db, entries: readonly OutboxRow[]) => Promise<RealtimeEvent[][]>;

/**
 * Creates the function that builds events by topic, in the order of the rows. `epoch`: the id of the last restore from
 * a backup, which is added to numbered events; null: the shop was never restored.
 */
export function createEventBuilder(makers: Record<Topic, EventMaker>, epoch: string | null = null): BuildEvents {
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
    const events = entries.flatMap((entry) => made.get(entry) ?? []);
    return epoch === null ? events : events.map((event) => withEpoch(event, epoch));
  };
}

function withEpoch(event: RealtimeEvent, epoch: string): RealtimeEvent {
  const { data } = event;
  return typeof data === 'object' && data !== null && 'sequence' in data
    ? { ...event, data: { ...data, epoch } }
    : event;
}

/**
 * Drops an unnumbered entry if a later entry has the same topic and subject, because the events of both would describe
 * the same current state.
 */
function withoutRepeats(entries: readonly OutboxRow[]): OutboxRow[] {
  const last = new Map(entries.map((entry, index) => [`${entry.topic} ${entry.subjectId}`, index]));
  return entries.filter(
    (entry, index) => entry.sequence !== null || last.get(`${entry.topic} ${entry.subjectId}`) === index,
  );
}
