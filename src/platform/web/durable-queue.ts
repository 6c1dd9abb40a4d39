export interface QueuedCall {
  /** The call's id, equal for all retries, so that the server recognises the call. */
  id: string;
  /** When a person requested the call (epoch ms). */
  askedAt?: number;
  /** The time in epoch milliseconds until which the call is held and can be cancelled. */
  sendAt?: number;
  /** The number of attempts without a response, or with a server error. */
  attempts?: number;
  /** Whether the last attempt reached the server and failed there. */
  isFailing?: boolean;
}

/** The storage of one page's unsent items. Each open page has a separate storage, and sends only the items in it. */
export interface QueueStorage<Item> {
  keep: (items: readonly Item[]) => void;
  /** Reads the items that this page stored before a reload. */
  readOwn: () => Item[];
  /** Moves the items of closed pages into this page's storage; `adopt` adds them to the queue. */
  takeOver: (adopt: (left: Item[]) => void) => Promise<void>;
}

export type SendOutcome<Item, Answer> =
  | { kind: 'done'; answer: Answer }
  /** No response arrived: the item is retried, and all other items wait for it. */
  | { kind: 'unanswered' }
  /** The server failed: the item is retried, and only items of the same line (`lineOf`) wait for it. */
  | { kind: 'failed' }
  /** The item was refused and is not retried. */
  | { kind: 'refused'; error: unknown }
  /** The changed `item` replaces the sent item and is sent at once. */
  | { kind: 'again'; item: Item }
  /** A conflict: a person must decide about the item. Nothing is sent before `resume` is called with the decision. */
  | { kind: 'halted' };

export interface DurableQueueOptions<Item extends QueuedCall, Answer> {
  send: (item: Item) => Promise<SendOutcome<Item, Answer>>;
  /** Called after each change with all items, the oldest first. */
  onChange: (items: readonly Item[]) => void;
  onDone: (item: Item, answer: Answer) => Promise<void> | void;
  onRefused: (item: Item, error: unknown, dropped: readonly Item[]) => void;
  /**
   * The name of an item's line. The items of a line are sent in order, and a failed item delays only its line. By
   * default all items are in one line.
   */
  lineOf?: (item: Item) => string;
  /** Whether a refused item also removes the later items of its line. */
  dropsLine?: boolean;
  now?: () => number;
  kept?: QueueStorage<Item>;
}

export interface DurableQueue<Item> {
  /** Loads the stored items of this page and of closed pages, and retries whenever the device comes online. */
  start: () => void;
  add: (item: Item) => void;
  /** Cancels an unsent item and the later items of the same line (`lineOf`); false if the item may have been sent. */
  takeBack: (id: string) => boolean;
  /**
   * Ends a halt after the outcome `halted`, and sends `item` in place of the halted item; null: the halted item is
   * dropped.
   */
  resume: (item: Item | null) => void;
  /** Retries at once, and skips the rest of the backoff. */
  wake: () => void;
  stop: () => void;
}

const retryAfter = [1000, 2000, 4000, 8000, 15_000];

/** Creates a queue that sends items one by one in order, and retries each until it is done or refused. */
export function createDurableQueue<Item extends QueuedCall, Answer>(
  ports: DurableQueueOptions<Item, Answer>,
): DurableQueue<Item> {
  const { lineOf = oneLine, kept } = ports;
  let items: readonly Item[] = [];
  let isStopped = false;
  const change = (next: readonly Item[]): void => {
    if (isStopped) return;
    items = next;
    kept?.keep(items);
    ports.onChange(items);
  };
  const sender = makeSender(ports, { read: () => items, change });
  const adopt = (left: readonly Item[]): void => {
    change(mergeItems(left, items));
    sender.pump();
  };
  return {
    start() {
      isStopped = false;
      sender.start();
      globalThis.addEventListener?.('online', sender.wake);
      if (!kept) return;
      adopt(kept.readOwn());
      void kept.takeOver(adopt);
    },
    add(item) {
      change([...items, item]);
      sender.pump();
    },
    takeBack(id) {
      const index = items.findIndex((item) => item.id === id);
      const item = items[index];
      // An attempted item may have reached the server, even without a response.
      if (!item || sender.isSending(id) || (item.attempts ?? 0) > 0) return false;
      change(items.filter((other, at) => at < index || lineOf(other) !== lineOf(item)));
      sender.pump();
      return true;
    },
    resume: sender.resume,
    wake: sender.wake,
    stop() {
      isStopped = true;
      sender.stop();
      globalThis.removeEventListener?.('online', sender.wake);
    },
  };
}

interface List<Item> {
  read: () => readonly Item[];
  change: (next: readonly Item[]) => void;
}

function makeSender<Item extends QueuedCall, Answer>(ports: DurableQueueOptions<Item, Answer>, list: List<Item>) {
  const { lineOf = oneLine, now = Date.now } = ports;
  let sending: string | null = null;
  let halted: string | null = null;
  let retryAt = 0;
  const lineRetryAt = new Map<string, number>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;

  const dueAt = (item: Item) => Math.max(item.sendAt ?? 0, retryAt, lineRetryAt.get(lineOf(item)) ?? 0);
  const pump = (): void => {
    clearTimeout(timer);
    if (isStopped || sending !== null || halted !== null) return;
    const heads = headsOf(list.read(), lineOf);
    const item = heads.find((head) => dueAt(head) <= now());
    if (item) return void sendOne(item);
    if (heads.length > 0) timer = setTimeout(pump, Math.min(...heads.map(dueAt)) - now());
  };

  async function sendOne(item: Item): Promise<void> {
    sending = item.id;
    const outcome = await ports.send(item).catch((error: unknown) => ({ kind: 'refused' as const, error }));
    try {
      if (!isStopped) await settle(item, outcome);
    } finally {
      sending = null;
      pump();
    }
  }

  async function settle(item: Item, outcome: SendOutcome<Item, Answer>): Promise<void> {
    retryAt = outcome.kind === 'unanswered' ? now() + pauseAfter(item) : 0;
    if (outcome.kind === 'failed') lineRetryAt.set(lineOf(item), now() + pauseAfter(item));
    else lineRetryAt.delete(lineOf(item));
    if (outcome.kind === 'halted') halted = item.id;
    if (outcome.kind === 'done') await ports.onDone(item, outcome.answer);
    if (outcome.kind !== 'refused') return list.change(itemsAfterOutcome(list.read(), item, outcome));
    const goesAlong = (other: Item) => ports.dropsLine === true && lineOf(other) === lineOf(item);
    const others = list.read().filter(({ id }) => id !== item.id);
    list.change(others.filter((other) => !goesAlong(other)));
    ports.onRefused(item, outcome.error, others.filter(goesAlong));
  }

  return {
    pump,
    isSending: (id: string) => id === sending,
    wake(): void {
      retryAt = 0;
      lineRetryAt.clear();
      pump();
    },
    resume(item: Item | null): void {
      if (halted === null) return;
      const id = halted;
      halted = null;
      list.change(list.read().flatMap((other) => (other.id === id ? (item ?? []) : [other])));
      pump();
    },
    start(): void {
      isStopped = false;
    },
    stop(): void {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

function oneLine(): string {
  return '';
}

function itemsAfterOutcome<Item extends QueuedCall>(
  items: readonly Item[],
  item: Item,
  outcome: Exclude<SendOutcome<Item, unknown>, { kind: 'refused' }>,
): readonly Item[] {
  if (outcome.kind === 'done') return items.filter(({ id }) => id !== item.id);
  const isFailing = outcome.kind === 'failed';
  const attempts = isFailing || outcome.kind === 'unanswered' ? (item.attempts ?? 0) + 1 : 0;
  const next = { ...(outcome.kind === 'again' ? outcome.item : item), attempts, isFailing };
  return items.map((other) => (other.id === item.id ? next : other));
}

/**
 * Merges the items of closed pages (`left`) with the items of this page, in the order of `askedAt` and without
 * duplicates.
 */
function mergeItems<Item extends QueuedCall>(left: readonly Item[], items: readonly Item[]): readonly Item[] {
  const known = new Set(items.map(({ id }) => id));
  const found = left.filter(({ id }) => !known.has(id));
  return [...found, ...items].toSorted((a, b) => (a.askedAt ?? 0) - (b.askedAt ?? 0));
}

function pauseAfter({ attempts = 0 }: QueuedCall): number {
  return retryAfter[Math.min(attempts, retryAfter.length - 1)] ?? 0;
}

/** The first item of each line (`lineOf`), for which the other items of the line wait. */
function headsOf<Item>(items: readonly Item[], lineOf: (item: Item) => string): Item[] {
  const seen = new Set<string>();
  return items.filter((item) => !seen.has(lineOf(item)) && seen.add(lineOf(item)));
}

export interface QueueStorageOptions<Item> {
  /** The prefix of this queue's storage keys, shared by all pages, e.g. with the ids of a person and a store. */
  group: string;
  /** The storage keys of this queue in earlier versions. */
  older?: readonly string[];
  /** Validates a stored item, which an earlier version may have written; null if it can no longer be sent. */
  readItem?: (stored: { id: string }) => Item | null;
}

const thisPage = Math.random().toString(36).slice(2);

export function openQueueStorage<Item extends QueuedCall>(
  { group, older = [], readItem = asWritten }: QueueStorageOptions<Item>,
  page = thisPage,
): QueueStorage<Item> {
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
          // The items are stored under the new key first. A crash between the two writes duplicates items, but loses
          // none.
          adopt(read(key));
          localStorage.removeItem(key);
        });
      }
    },
  };
}

const holding = new Set<string>();

/** Holds a lock until this page closes. A free lock shows that its page is closed. */
function holdForever(key: string): void {
  if (holding.has(key)) return;
  holding.add(key);
  void navigator.locks?.request(key, () => new Promise(() => undefined)).catch(() => undefined);
}

/**
 * Calls `take` if no open page holds the lock. Over http browsers have no locks, so two pages may send the same call;
 * the server recognises its id.
 */
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
  // The cast is safe, because only this module's `keep` writes items.
  return stored as Item;
}
