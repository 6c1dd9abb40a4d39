/** The other instances that this one knows. */
export interface Peers {
  size(): number;
  ids(): Iterable<string>;
  /** Any message shows that the peer is alive. */
  hear(id: string): void;
  /** It sent its whole roster, as of this `version`. */
  learn(id: string, version: number): void;
  /** Compares the number of its announcement: the next one, one after a gap, or a stale one. */
  count(id: string, version: number): 'next' | 'gap' | 'old';
  isUpToDate(id: string, version: number): boolean;
  forget(id: string): void;
  forgetAll(): void;
  /** The peers that were silent for so many milliseconds. */
  forgetSilent(timeout: number): void;
}

interface Peer {
  /** Counts the peer's announcements: a gap means a lost one, and the peer's roster is requested again. */
  version: number;
  heardAt: number;
}

/** `onGone` is called for each peer that is forgotten. */
export function createPeers(onGone: (id: string) => void): Peers {
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
