import type { QueuedAction } from '#kitchen/web/action-queue.ts';

const prefix = 'kitchen_actions';
/** An older action means nothing to the kitchen any more. */
const KEPT_FOR = 6 * 3_600_000;
const page = Math.random().toString(36).slice(2);

/** Where one page keeps what it has not sent: apart from other pages of the same person, so that none sends it twice. */
export interface KeptActions {
  keep: (actions: readonly QueuedAction[]) => void;
  /** What this very page kept before it showed something else. */
  readOwn: () => QueuedAction[];
  /** What earlier pages of this person and store left behind; it belongs to this page from now on. */
  takeOver: (now: number) => Promise<QueuedAction[]>;
}

export function keepActions(userId: string, storeId: string): KeptActions {
  const group = `${prefix}/${userId}/${storeId}/`;
  const own = group + page;
  holdForever(own);
  return {
    readOwn: () => readActions(own),
    keep(actions) {
      if (actions.length === 0) localStorage.removeItem(own);
      else localStorage.setItem(own, JSON.stringify(actions));
    },
    async takeOver(now) {
      const found: QueuedAction[] = [];
      for (const key of Object.keys(localStorage)) {
        if (!key.startsWith(group) || key === own) continue;
        if (await isOwned(key)) continue;
        found.push(...readActions(key));
        localStorage.removeItem(key);
      }
      return found.filter((action) => now - action.askedAt < KEPT_FOR);
    },
  };
}

const holding = new Set<string>();

/** The lock lives as long as the page does: a list whose lock is free has lost its page. */
function holdForever(key: string): void {
  if (holding.has(key)) return;
  holding.add(key);
  void navigator.locks?.request(key, () => new Promise(() => undefined)).catch(() => undefined);
}

/** Over plain http there are no locks; then every list is taken over, and the server knows a call again by its id. */
async function isOwned(key: string): Promise<boolean> {
  if (!navigator.locks) return false;
  return navigator.locks.request(key, { ifAvailable: true }, (lock) => lock === null);
}

function readActions(key: string): QueuedAction[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    // Written by `keep` in an earlier page of this very code.
    return Array.isArray(kept) ? (kept as QueuedAction[]) : [];
  } catch {
    return [];
  }
}
