import type { Notice, ChannelFilter } from '#realtime/server/notice.ts';
import type { Peers } from '#realtime/server/peers.ts';
import type { Presence } from '#realtime/server/presence.ts';
import type { Survey } from '#realtime/server/survey.ts';

/** What this instance does at another one's request. */
export interface ClusterDuties {
  deliver(channel: string, frame: string, exceptSocketId?: string): void;
  countListeners(filter: ChannelFilter): Map<string, number>;
  disconnectUser(userId: string, code: number): void;
  /** Events of other instances were lost while the bus was away: clients must reconnect and refetch. */
  afterGap(): void;
}

/** This instance as the others see it. */
export interface Self {
  id: string;
  /** How many changes of its presence it has announced. */
  version: number;
}

export interface Hearing {
  self: Self;
  peers: Peers;
  survey: Survey;
  presence: Presence;
  duties: ClusterDuties;
  tell(notice: Notice): void;
}

/** Everybody present on this instance. `ask`: the others are to send theirs. */
export function rosterOf({ self, presence }: Pick<Hearing, 'self' | 'presence'>, ask: boolean): Notice {
  return { kind: 'roster', from: self.id, version: self.version, entries: presence.localEntries(), ask };
}

/** Acts on another instance's notice. */
export function handleNotice(hearing: Hearing, notice: Notice): void {
  const { self, peers, survey, presence, duties, tell } = hearing;
  peers.hear(notice.from);
  switch (notice.kind) {
    case 'roster':
      peers.learn(notice.from, notice.version);
      presence.replacePeer(notice.from, notice.entries);
      if (notice.ask) tell(rosterOf(hearing, false));
      return;
    case 'join':
      if (isNext(hearing, notice)) presence.peerJoined(notice.from, notice.entry);
      return;
    case 'leave':
      if (isNext(hearing, notice)) presence.peerLeft(notice.from, notice.channel, notice.user);
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

/** If an earlier announcement was lost, the whole roster is requested again. */
function isNext({ self, peers, tell }: Hearing, { from, version }: { from: string; version: number }): boolean {
  const place = peers.count(from, version);
  if (place === 'gap') tell({ kind: 'resend', from: self.id, to: from });
  return place === 'next';
}
