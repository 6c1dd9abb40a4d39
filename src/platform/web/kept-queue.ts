import type { KeptQueue, Queueable } from '#platform/web/durable-queue.ts';

export interface Keeping<Item> {
  /** The common prefix of the keys of all pages with the same queue: that of one person and store, say. */
  group: string;
  /** Keys under which older versions stored the same queue. */
  older?: readonly string[];
  /** An item as an older version may have written it; null for one that cannot be sent any more. */
  readItem?: (stored: { id: string }) => Item | null;
}

const thisPage = Math.random().toString(36).slice(2);

export function keepQueue<Item extends Queueable>(
  { group, older = [], readItem = asWritten }: Keeping<Item>,
  page = thisPage,
): KeptQueue<Item> {
  const own = `${group}/${page}`;
  holdForever(own);
  const read = (key: string): Item[] => readList(key).flatMap((stored) => readItem(stored) ?? []);
  return {
    readOwn: () => read(own),
    keep(items) {
      if (items.length === 0) localStorage.removeItem(own);
      else localStorage.setItem(own, JSON.stringify(items));
    },
    async takeOver(adopt) {
      const isOfQueue = (key: string) => key.startsWith(`${group}/`) || older.includes(key);
      for (const key of Object.keys(localStorage).filter(isOfQueue)) {
        if (key === own) continue;
        await whereFree(key, () => {
          // Stored under the new key first: a page that ends between the two writes leaves a duplicate rather than nothing.
          adopt(read(key));
          localStorage.removeItem(key);
        });
      }
    },
  };
}

const holding = new Set<string>();

/** The lock lives as long as its page: a list whose lock is free belongs to a closed page. */
function holdForever(key: string): void {
  if (holding.has(key)) return;
  holding.add(key);
  void navigator.locks?.request(key, () => new Promise(() => undefined)).catch(() => undefined);
}

/** Over plain http there are no locks; then every list is taken over, and the server recognises repeated calls by their id. */
async function whereFree(key: string, take: () => void): Promise<void> {
  if (navigator.locks) await navigator.locks.request(key, { ifAvailable: true }, (lock) => lock && take());
  else take();
}

function readList(key: string): { id: string }[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(stored) ? stored.filter((item: { id?: unknown } | null) => typeof item?.id === 'string') : [];
  } catch {
    return [];
  }
}

function asWritten<Item>(stored: { id: string }): Item {
  // Written by `keep` of this module, in an earlier page.
  return stored as Item;
}
