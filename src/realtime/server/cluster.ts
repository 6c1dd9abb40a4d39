import { randomUUID } from 'node:crypto';
import type { RealtimeLimits } from '#realtime/server/limits.ts';
import type { RealtimeLog } from '#realtime/server/log.ts';
import type { MessageBus } from '#realtime/server/message-bus.ts';
import { Notice, type ChannelFilter } from '#realtime/server/notice.ts';
import type { Presence, PresenceEntry } from '#realtime/server/presence.ts';

/** What this instance does when another one asks. */
export interface ClusterDuties {
  deliver(channel: string, frame: string, exceptSocketId?: string): void;
  countListeners(filter: ChannelFilter): Map<string, number>;
  disconnectUser(userId: string, code: number): void;
  /** Events of other instances were lost while the bus was away: clients must come back and refetch. */
  afterGap(): void;
}

export interface Cluster {
  /** Resolves when the bus has it. If the bus is away, the others' clients are made to refetch when it is back. */
  sendFrame(channel: string, frame: string, exceptSocketId?: string): Promise<void>;
  announceJoin(entry: PresenceEntry): void;
  announceLeave(channel: string, userId: string): void;
  announceDisconnect(userId: string, code: number): Promise<void>;
  /** Listeners of each channel over all instances; an instance that does not answer in time is left out. */
  countListeners(filter: ChannelFilter): Promise<Map<string, number>>;
  isConnected(): boolean;
  peerCount(): number;
  leave(): Promise<void>;
}

interface Peer {
  /** Counts the peer's announcements: a missing number means a lost one, and its roster is asked for again. */
  version: number;
  heardAt: number;
}

interface Question {
  counts: Map<string, number>;
  waitingFor: Set<string>;
  finish: () => void;
}

/**
 * Joins this instance with the others. Frames go out as `f<except> <channel> <frame>`, so that a receiver forwards them
 * without parsing; everything else is a notice in JSON. Each instance tells its own presence and keeps a copy of the
 * others', so that nothing has to be stored, and a crashed instance's users leave when it falls silent.
 */
export function createCluster(
  bus: MessageBus,
  topic: string,
  presence: Presence,
  duties: ClusterDuties,
  limits: RealtimeLimits,
  log: RealtimeLog,
): Cluster {
  const self = randomUUID();
  const peers = new Map<string, Peer>();
  const survey = makeSurvey(limits.askTimeout);
  let version = 0;
  let wasConnected = false;
  let hasLostFrames = false;

  const member = bus.join(topic, receive, () => {
    tell({ kind: 'roster', from: self, version, entries: presence.localEntries(), ask: true });
    if (wasConnected) duties.afterGap();
    // At once, so that the others' clients come back once and not twice.
    if (hasLostFrames) void admitLoss();
    wasConnected = true;
  });

  const beat = setInterval(() => {
    tell({ kind: 'beat', from: self, version });
    if (hasLostFrames) void admitLoss();
    const oldest = performance.now() - limits.peerTimeout;
    for (const [id, peer] of peers) if (peer.heardAt < oldest) forget(id);
  }, limits.beatEvery);
  beat.unref();

  /** A notice that is lost does no harm: beats show the gap, and the roster is sent again. */
  function tell(notice: Notice): void {
    send(notice).catch((error: unknown) => {
      log.debug({ err: error, kind: notice.kind }, 'a notice to the other instances was lost');
    });
  }

  async function sendFrame(channel: string, frame: string, exceptSocketId = ''): Promise<void> {
    try {
      await member.send(`f${exceptSocketId} ${channel} ${frame}`, peers.size);
    } catch (error) {
      if (!hasLostFrames) log.error({ err: error }, 'events did not reach the other instances');
      hasLostFrames = true;
    }
  }

  async function admitLoss(): Promise<void> {
    try {
      await send({ kind: 'gap', from: self });
      hasLostFrames = false;
    } catch {
      // Tried again at the next beat.
    }
  }

  async function send(notice: Notice): Promise<void> {
    await member.send(`n${JSON.stringify(notice)}`, peers.size);
  }

  function forget(id: string): void {
    peers.delete(id);
    presence.replacePeer(id, []);
    survey.drop(id);
  }

  function receive(message: string): void {
    if (message.startsWith('f')) {
      const afterExcept = message.indexOf(' ');
      const afterChannel = message.indexOf(' ', afterExcept + 1);
      const channel = message.slice(afterExcept + 1, afterChannel);
      duties.deliver(channel, message.slice(afterChannel + 1), message.slice(1, afterExcept));
      return;
    }
    try {
      heed(Notice.parse(JSON.parse(message.slice(1))));
    } catch (error) {
      log.warn({ err: error }, 'another instance sent what this one does not understand');
    }
  }

  function heed(notice: Notice): void {
    const peer = peers.get(notice.from);
    if (peer) peer.heardAt = performance.now();
    switch (notice.kind) {
      case 'roster':
        peers.set(notice.from, { version: notice.version, heardAt: performance.now() });
        presence.replacePeer(notice.from, notice.entries);
        if (notice.ask) tell({ kind: 'roster', from: self, version, entries: presence.localEntries(), ask: false });
        return;
      case 'join':
        if (follows(notice.from, notice.version)) presence.peerJoined(notice.from, notice.entry);
        return;
      case 'leave':
        if (follows(notice.from, notice.version)) presence.peerLeft(notice.from, notice.channel, notice.user);
        return;
      case 'beat':
        if (peer?.version !== notice.version) tell({ kind: 'resend', from: self, to: notice.from });
        return;
      case 'resend':
        if (notice.to !== self) return;
        tell({ kind: 'roster', from: self, version, entries: presence.localEntries(), ask: false });
        return;
      case 'gap':
        duties.afterGap();
        return;
      case 'bye':
        forget(notice.from);
        return;
      case 'ask': {
        const counts = [...duties.countListeners(notice.filter)];
        tell({ kind: 'answer', from: self, id: notice.id, counts });
        return;
      }
      case 'answer':
        survey.take(notice.id, notice.from, notice.counts);
        return;
      case 'disconnect':
        duties.disconnectUser(notice.user, notice.code);
    }
  }

  /** True when the announcement is the next one of that peer; otherwise its whole roster is asked for. */
  function follows(from: string, announced: number): boolean {
    const peer = peers.get(from);
    if (peer && announced === peer.version + 1) {
      peer.version = announced;
      return true;
    }
    if (!peer || announced > peer.version) tell({ kind: 'resend', from: self, to: from });
    return false;
  }

  return {
    sendFrame,
    announceJoin(entry) {
      version += 1;
      tell({ kind: 'join', from: self, version, entry });
    },
    announceLeave(channel, user) {
      version += 1;
      tell({ kind: 'leave', from: self, version, channel, user });
    },
    announceDisconnect: (user, code) => send({ kind: 'disconnect', from: self, user, code }),
    async countListeners(filter) {
      const counts = duties.countListeners(filter);
      if (peers.size === 0 || !member.isConnected()) return counts;
      await survey.ask(counts, peers.keys(), (id) => tell({ kind: 'ask', from: self, id, filter }));
      return counts;
    },
    isConnected: () => member.isConnected(),
    peerCount: () => peers.size,
    async leave() {
      clearInterval(beat);
      await send({ kind: 'bye', from: self }).catch(() => undefined);
      await member.leave();
      for (const id of peers.keys()) forget(id);
    },
  };
}

/** Questions to the other instances; one that does not answer within `patience` milliseconds is left out. */
function makeSurvey(patience: number) {
  const questions = new Map<string, Question>();
  const settle = (question: Question, peerId: string): void => {
    question.waitingFor.delete(peerId);
    if (question.waitingFor.size === 0) question.finish();
  };
  return {
    /** Adds what the `peers` answer to `counts`. */
    async ask(counts: Map<string, number>, peers: Iterable<string>, send: (id: string) => void): Promise<void> {
      const id = randomUUID();
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, patience);
      questions.set(id, { counts, waitingFor: new Set(peers), finish: resolve });
      send(id);
      await promise;
      clearTimeout(timer);
      questions.delete(id);
    },
    take(id: string, from: string, counted: Iterable<readonly [string, number]>): void {
      const question = questions.get(id);
      if (!question) return;
      for (const [channel, count] of counted) addCount(question.counts, channel, count);
      settle(question, from);
    },
    /** A peer that is gone is waited for no longer. */
    drop(peerId: string): void {
      for (const question of questions.values()) settle(question, peerId);
    },
  };
}

function addCount(counts: Map<string, number>, channel: string, count: number): void {
  counts.set(channel, (counts.get(channel) ?? 0) + count);
}
