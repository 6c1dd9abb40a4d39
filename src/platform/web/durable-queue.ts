/** A call that waits for its answer. */
export interface Queueable {
  /** The same for every attempt, so that the server recognises a repeated call. */
  id: string;
  /** Epoch milliseconds; newer data from the server overrides an older item. */
  askedAt?: number;
  /** Not sent before this time (epoch milliseconds): until then it can be taken back. */
  sendAt?: number;
  /** How many attempts had no answer, or a failure. */
  attempts?: number;
  /** The last attempt reached the server, which failed. */
  isFailing?: boolean;
}

/** Where one page stores its unsent items: apart from other pages, so that none sends another page's items. */
export interface StoredQueue<Item> {
  keep: (items: readonly Item[]) => void;
  /** The items that this same page stored before it was reloaded or replaced. */
  readOwn: () => Item[];
  /** Hands over each list that a closed page left behind; from then on it belongs to this page. */
  takeOver: (adopt: (left: Item[]) => void) => Promise<void>;
}

export type Outcome<Item, Answer> =
  | { kind: 'done'; answer: Answer }
  /** No answer: nothing else is sent before it, which is sent again until there is an answer. */
  | { kind: 'unanswered' }
  /** The server failed at this call: it is sent again as well, and other lines go on meanwhile. */
  | { kind: 'failed' }
  /** Refused for good. */
  | { kind: 'refused'; error: unknown }
  /** To be sent again immediately, in this form. */
  | { kind: 'again'; item: Item }
  /** A person must decide first: nothing is sent until `resume`. */
  | { kind: 'halted' };

export interface QueuePorts<Item extends Queueable, Answer> {
  send: (item: Item) => Promise<Outcome<Item, Answer>>;
  /** Called with the whole list after every change, the oldest first. */
  onChange: (items: readonly Item[]) => void;
  /** Called before the item leaves the queue. */
  onDone: (item: Item, answer: Answer) => Promise<void> | void;
  onRefused: (item: Item, error: unknown, dropped: readonly Item[]) => void;
  /** Items of one line are sent one after another; a held item does not delay other lines. By default all are one line. */
  lineOf?: (item: Item) => string;
  /** Whether a refused item also removes the later ones of its line. */
  dropsLine?: boolean;
  now?: () => number;
  kept?: StoredQueue<Item>;
}

export interface DurableQueue<Item> {
  /** Loads the items that this page and earlier pages stored, and sends immediately whenever the connection is back. */
  start: () => void;
  add: (item: Item) => void;
  /** Takes back an unsent item and the later ones of its line; false when it is too late. */
  takeBack: (id: string) => boolean;
  /** Continues after `halted` with the item in this form, or without it. */
  resume: (item: Item | null) => void;
  /** Retries immediately. */
  wake: () => void;
  stop: () => void;
}

const retryAfter = [1000, 2000, 4000, 8000, 15_000];

/** Sends items one by one, in the order they were added; one without an answer is sent again until it has one. */
export function createDurableQueue<Item extends Queueable, Answer>(
  ports: QueuePorts<Item, Answer>,
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
    change(together(left, items));
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
      // An item that was sent may have arrived even without an answer.
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

/** Makes one call at a time, with a backoff between two attempts. */
function makeSender<Item extends Queueable, Answer>(ports: QueuePorts<Item, Answer>, list: List<Item>) {
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

  async function settle(item: Item, outcome: Outcome<Item, Answer>): Promise<void> {
    retryAt = outcome.kind === 'unanswered' ? now() + pauseAfter(item) : 0;
    if (outcome.kind === 'failed') lineRetryAt.set(lineOf(item), now() + pauseAfter(item));
    else lineRetryAt.delete(lineOf(item));
    if (outcome.kind === 'halted') halted = item.id;
    if (outcome.kind === 'done') await ports.onDone(item, outcome.answer);
    if (outcome.kind !== 'refused') return list.change(afterwards(list.read(), item, outcome));
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

/** The list after a call was answered with anything but a refusal. */
function afterwards<Item extends Queueable>(
  items: readonly Item[],
  item: Item,
  outcome: Exclude<Outcome<Item, unknown>, { kind: 'refused' }>,
): readonly Item[] {
  if (outcome.kind === 'done') return items.filter(({ id }) => id !== item.id);
  const isFailing = outcome.kind === 'failed';
  const attempts = isFailing || outcome.kind === 'unanswered' ? (item.attempts ?? 0) + 1 : 0;
  const next = { ...(outcome.kind === 'again' ? outcome.item : item), attempts, isFailing };
  return items.map((other) => (other.id === item.id ? next : other));
}

/** Items left behind come before newer ones; each only once. */
function together<Item extends Queueable>(left: readonly Item[], items: readonly Item[]): readonly Item[] {
  const known = new Set(items.map(({ id }) => id));
  const found = left.filter(({ id }) => !known.has(id));
  return [...found, ...items].toSorted((a, b) => (a.askedAt ?? 0) - (b.askedAt ?? 0));
}

function pauseAfter({ attempts = 0 }: Queueable): number {
  return retryAfter[Math.min(attempts, retryAfter.length - 1)] ?? 0;
}

/** The first item of each line: the others wait for it. */
function headsOf<Item>(items: readonly Item[], lineOf: (item: Item) => string): Item[] {
  const seen = new Set<string>();
  return items.filter((item) => !seen.has(lineOf(item)) && seen.add(lineOf(item)));
}

export interface StoredQueueOptions<Item> {
  /** The common prefix of the keys of all pages with the same queue: that of one person and store, say. */
  group: string;
  /** Keys under which older versions stored the same queue. */
  older?: readonly string[];
  /** An item as an older version may have written it; null for one that cannot be sent any more. */
  readItem?: (stored: { id: string }) => Item | null;
}

const thisPage = Math.random().toString(36).slice(2);

export function openStoredQueue<Item extends Queueable>(
  { group, older = [], readItem = asWritten }: StoredQueueOptions<Item>,
  page = thisPage,
): StoredQueue<Item> {
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
