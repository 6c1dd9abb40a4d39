import { randomUUID } from 'node:crypto';
import type { RealtimeLimits } from '#realtime/server/connection.ts';
import type { RealtimeLog } from '#realtime/server/log.ts';
import type { MessageBus } from '#realtime/server/message-bus.ts';
import { type ChannelFilter, InstanceNotice } from '#realtime/server/hub.ts';
import type { Presence, PresenceEntry } from '#realtime/server/presence.ts';
import { repeatEvery } from '#platform/server/sweep.ts';

export interface Cluster {
  /**
   * Resolves when the bus has the frame, or has failed to take it. After a failure the other instances are told later
   * that they missed events.
   */
  sendFrame(channel: string, frame: string, exceptSocketId?: string): Promise<void>;
  announceJoin(entry: PresenceEntry): void;
  announceLeave(channel: string, userId: string): void;
  announceDisconnect(userId: string, code: number): Promise<void>;
  /** Counts the listeners of each channel on all instances that answer in time. */
  countListeners(filter: ChannelFilter): Promise<Map<string, number>>;
  isConnected(): boolean;
  peerCount(): number;
  leave(): Promise<void>;
}

/**
 * Connects this instance with the others. A frame is sent as `f<socket> <channel> <frame>`, and delivered without
 * parsing. `<socket>` is the id of the socket that must not get the frame, or empty. A notice is sent as `n<JSON>`.
 * Each instance announces its users in presence channels, and keeps a list of the users of the other instances. The
 * users of a crashed instance count as gone when its heartbeats stop.
 */
export function createCluster(
  bus: MessageBus,
  topic: string,
  presence: Presence,
  duties: ClusterDuties,
  limits: RealtimeLimits,
  log: RealtimeLog,
): Cluster {
  const self = { id: randomUUID(), version: 0 };
  const survey = makeSurvey(limits.askTimeout);
  const peers = createPeers((id) => {
    presence.replacePeer(id, []);
    survey.drop(id);
  });
  const sender = createSender(self.id, (message) => member.send(message, peers.size()), log);
  const hearing: Hearing = { self, peers, survey, presence, duties, tell: sender.tell };
  let wasConnected = false;

  const member = bus.join(
    topic,
    (message) => receive(hearing, message, log),
    () => {
      sender.tell(rosterOf(hearing, true));
      if (wasConnected) duties.afterGap();
      // If frames to the other instances were lost, `admitLoss` makes those instances close their clients' sockets. If
      // the bus failed for those instances too, they close these sockets now anyway. A notice at the next heartbeat
      // would then disconnect the clients a second time, so the notice is sent now.
      void sender.admitLoss();
      wasConnected = true;
    },
  );

  const stopBeat = repeatEvery(limits.beatEvery, () => {
    sender.tell({ kind: 'beat', from: self.id, version: self.version });
    void sender.admitLoss();
    peers.forgetSilent(limits.peerTimeout);
  });

  return {
    sendFrame: sender.sendFrame,
    announceJoin(entry) {
      self.version += 1;
      sender.tell({ kind: 'join', from: self.id, version: self.version, entry });
    },
    announceLeave(channel, user) {
      self.version += 1;
      sender.tell({ kind: 'leave', from: self.id, version: self.version, channel, user });
    },
    announceDisconnect: (user, code) => sender.send({ kind: 'disconnect', from: self.id, user, code }),
    async countListeners(filter) {
      const counts = duties.countListeners(filter);
      if (peers.size() === 0 || !member.isConnected()) return counts;
      await survey.ask(counts, peers.ids(), (id) => sender.tell({ kind: 'ask', from: self.id, id, filter }));
      return counts;
    },
    isConnected: () => member.isConnected(),
    peerCount: () => peers.size(),
    async leave() {
      stopBeat();
      await sender.send({ kind: 'bye', from: self.id }).catch(() => undefined);
      await member.leave();
      peers.forgetAll();
    },
  };
}

function receive(hearing: Hearing, message: string, log: RealtimeLog): void {
  if (message.startsWith('f')) {
    const afterExcept = message.indexOf(' ');
    const afterChannel = message.indexOf(' ', afterExcept + 1);
    const channel = message.slice(afterExcept + 1, afterChannel);
    hearing.duties.deliver(channel, message.slice(afterChannel + 1), message.slice(1, afterExcept));
    return;
  }
  try {
    handleNotice(hearing, InstanceNotice.parse(JSON.parse(message.slice(1))));
  } catch (error) {
    log.warn({ err: error }, 'another instance sent what this one does not understand');
  }
}

/** Sends to the other instances, and remembers whether a frame was lost. */
function createSender(self: string, sendMessage: (message: string) => Promise<unknown>, log: RealtimeLog) {
  let hasLostFrames = false;

  async function send(notice: InstanceNotice): Promise<void> {
    await sendMessage(`n${JSON.stringify(notice)}`);
  }

  return {
    send,
    /**
     * Sends a notice. A failure is only logged, because the other instances notice a lost announcement by the `version`
     * in the next heartbeat, and request the whole roster.
     */
    tell(notice: InstanceNotice): void {
      send(notice).catch((error: unknown) => {
        log.debug({ err: error, kind: notice.kind }, 'a notice to the other instances was lost');
      });
    },
    async sendFrame(channel: string, frame: string, exceptSocketId = ''): Promise<void> {
      try {
        await sendMessage(`f${exceptSocketId} ${channel} ${frame}`);
      } catch (error) {
        if (!hasLostFrames) log.error({ err: error }, 'events did not reach the other instances');
        hasLostFrames = true;
      }
    },
    async admitLoss(): Promise<void> {
      if (!hasLostFrames) return;
      try {
        await send({ kind: 'gap', from: self });
        hasLostFrames = false;
      } catch {
        // The next heartbeat calls this function again.
      }
    },
  };
}

interface ClusterDuties {
  deliver(channel: string, frame: string, exceptSocketId?: string): void;
  countListeners(filter: ChannelFilter): Map<string, number>;
  disconnectUser(userId: string, code: number): void;
  /** Called when events of other instances were lost, so this instance's clients must reconnect and refetch. */
  afterGap(): void;
}

/** The id of this instance, and the number of its last announcement (`version`). */
interface Self {
  id: string;
  version: number;
}

interface Hearing {
  self: Self;
  peers: Peers;
  survey: Survey;
  presence: Presence;
  duties: ClusterDuties;
  tell(notice: InstanceNotice): void;
}

/** Builds a notice with all users at this instance. `ask`: requests the other instances' rosters. */
function rosterOf({ self, presence }: Pick<Hearing, 'self' | 'presence'>, ask: boolean): InstanceNotice {
  return { kind: 'roster', from: self.id, version: self.version, entries: presence.localEntries(), ask };
}

function handleNotice(hearing: Hearing, notice: InstanceNotice): void {
  const { self, peers, survey, presence, duties, tell } = hearing;
  peers.hear(notice.from);
  switch (notice.kind) {
    case 'roster':
      peers.learn(notice.from, notice.version);
      presence.replacePeer(notice.from, notice.entries);
      if (notice.ask) tell(rosterOf(hearing, false));
      return;
    case 'join':
    case 'leave':
      if (isNext(hearing, notice)) tellPresence(presence, notice);
      return;
    case 'beat':
      if (!peers.isUpToDate(notice.from, notice.version)) tell({ kind: 'resend', from: self.id, to: notice.from });
      return;
    case 'resend':
      if (notice.to === self.id) tell(rosterOf(hearing, false));
      return;
    case 'gap':
      duties.afterGap();
      return;
    case 'bye':
      peers.forget(notice.from);
      return;
    case 'ask':
      tell({ kind: 'answer', from: self.id, id: notice.id, counts: [...duties.countListeners(notice.filter)] });
      return;
    case 'answer':
      survey.take(notice.id, notice.from, notice.counts);
      return;
    case 'disconnect':
      duties.disconnectUser(notice.user, notice.code);
  }
}

function tellPresence(presence: Presence, notice: InstanceNotice & { kind: 'join' | 'leave' }): void {
  if (notice.kind === 'join') presence.peerJoined(notice.from, notice.entry);
  else presence.peerLeft(notice.from, notice.channel, notice.user);
}

/**
 * Returns whether an announcement is the next one of its instance. If earlier announcements are missing, requests the
 * roster of that instance.
 */
function isNext({ self, peers, tell }: Hearing, { from, version }: { from: string; version: number }): boolean {
  const place = peers.count(from, version);
  if (place === 'gap') tell({ kind: 'resend', from: self.id, to: from });
  return place === 'next';
}

interface Question {
  counts: Map<string, number>;
  waitingFor: Set<string>;
  finish: () => void;
}

interface Survey {
  /** Asks `peers` by `send`, and adds their counts to `counts`. */
  ask(counts: Map<string, number>, peers: Iterable<string>, send: (id: string) => void): Promise<void>;
  take(id: string, from: string, counted: Iterable<readonly [string, number]>): void;
  drop(peerId: string): void;
}

/** Asks the other instances for counts; counts that take longer than `timeout` milliseconds are left out. */
function makeSurvey(timeout: number): Survey {
  const questions = new Map<string, Question>();
  const settle = (question: Question, peerId: string): void => {
    question.waitingFor.delete(peerId);
    if (question.waitingFor.size === 0) question.finish();
  };
  return {
    async ask(counts, peers, send) {
      const id = randomUUID();
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, timeout);
      questions.set(id, { counts, waitingFor: new Set(peers), finish: resolve });
      send(id);
      await promise;
      clearTimeout(timer);
      questions.delete(id);
    },
    take(id, from, counted) {
      const question = questions.get(id);
      if (!question) return;
      for (const [channel, count] of counted) addCount(question.counts, channel, count);
      settle(question, from);
    },
    drop(peerId) {
      for (const question of questions.values()) settle(question, peerId);
    },
  };
}

function addCount(counts: Map<string, number>, channel: string, count: number): void {
  counts.set(channel, (counts.get(channel) ?? 0) + count);
}

interface Peers {
  size(): number;
  ids(): Iterable<string>;
  hear(id: string): void;
  /** Records that the peer's whole roster is known as of `version`. */
  learn(id: string, version: number): void;
  /**
   * Records the number of an announcement. Returns whether the announcement is the next one, follows a gap, or is
   * stale.
   */
  count(id: string, version: number): 'next' | 'gap' | 'old';
  isUpToDate(id: string, version: number): boolean;
  forget(id: string): void;
  forgetAll(): void;
  forgetSilent(timeout: number): void;
}

interface Peer {
  /** The number of the peer's last announcement. */
  version: number;
  heardAt: number;
}

/**
 * Creates the record of live peers. `onGone` is called for each peer that has left, or whose heartbeats have stopped.
 */
function createPeers(onGone: (id: string) => void): Peers {
  const peers = new Map<string, Peer>();
  const forget = (id: string) => {
    peers.delete(id);
    onGone(id);
  };
  return {
    size: () => peers.size,
    ids: () => peers.keys(),
    hear(id) {
      const peer = peers.get(id);
      if (peer) peer.heardAt = performance.now();
    },
    learn: (id, version) => void peers.set(id, { version, heardAt: performance.now() }),
    count(id, version) {
      const peer = peers.get(id);
      if (!peer || version > peer.version + 1) return 'gap';
      if (version <= peer.version) return 'old';
      peer.version = version;
      return 'next';
    },
    isUpToDate: (id, version) => peers.get(id)?.version === version,
    forget,
    forgetAll() {
      for (const id of peers.keys()) forget(id);
    },
    forgetSilent(timeout) {
      const oldest = performance.now() - timeout;
      for (const [id, { heardAt }] of peers) if (heardAt < oldest) forget(id);
    },
  };
}
