/** The other instances, as far as this one has heard of them. */
export interface Peers {
  size(): number;
  ids(): Iterable<string>;
  /** Whatever it says shows that it lives. */
  hear(id: string): void;
  /** It told all that it knows, which is counted from `version`. */
  learn(id: string, version: number): void;
  /** Counts its announcement of that number: is it the next one, or the gap after one that was lost, or old? */
  count(id: string, version: number): 'next' | 'gap' | 'old';
  isUpToDate(id: string, version: number): boolean;
  forget(id: string): void;
  forgetAll(): void;
  /** Those who said nothing for so many milliseconds. */
  forgetSilent(timeout: number): void;
}

interface Peer {
  /** Counts the peer's announcements: a missing number means a lost one, and its roster is asked for again. */
  version: number;
  heardAt: number;
}

/** `onGone` is told of each that is forgotten. */
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
