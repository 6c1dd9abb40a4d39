import type { KeptQueue } from '#platform/web/kept-queue.ts';

/** A call that waits for its answer. */
export interface Queueable {
  /** Stays the same however often it is sent, so that the server can know it again. */
  id: string;
  /** Epoch milliseconds; what is known of it goes before what an older one asked for. */
  askedAt?: number;
  /** Not before this time (epoch milliseconds): it can be taken back until then. */
  sendAt?: number;
  /** How often it was sent without an answer. */
  attempts?: number;
}

export type Outcome<Item, Answer> =
  | { kind: 'done'; answer: Answer }
  /** No answer, or a server in trouble: it is sent again until there is one. */
  | { kind: 'unanswered' }
  /** Refused for good. */
  | { kind: 'refused'; error: unknown }
  /** To be sent again at once, in this form. */
  | { kind: 'again'; item: Item }
  /** Somebody must choose first: nothing is sent until `resume`. */
  | { kind: 'halted' };

export interface QueuePorts<Item extends Queueable, Answer> {
  send: (item: Item) => Promise<Outcome<Item, Answer>>;
  /** Called with the whole list after every change, the oldest first. */
  onChange: (items: readonly Item[]) => void;
  /** Called before the item leaves the queue. */
  onDone: (item: Item, answer: Answer) => Promise<void> | void;
  onRefused: (item: Item, error: unknown, dropped: readonly Item[]) => void;
  /** Items of one line wait for each other; one that is held back lets other lines pass. By default there is one line. */
  lineOf?: (item: Item) => string;
  /** Whether the later ones of its line go with a refused item. */
  dropsLine?: boolean;
  now?: () => number;
  kept?: KeptQueue<Item>;
}

export interface DurableQueue<Item> {
  /** Takes up what this page kept before and what earlier pages left, and sends at once whenever the connection is back. */
  start: () => void;
  add: (item: Item) => void;
  /** Takes an item back that was not sent yet, with the later ones of its line; false when it is too late. */
  takeBack: (id: string) => boolean;
  /** Goes on after `halted` with the item as it is to be sent now, or without it. */
  resume: (item: Item | null) => void;
  /** Tries again at once. */
  wake: () => void;
  stop: () => void;
}

const retryAfter = [1000, 2000, 4000, 8000, 15_000];

/** Sends one by one, in the order they were asked for; one without an answer is sent again until it has one. */
export function createDurableQueue<Item extends Queueable, Answer>(
  ports: QueuePorts<Item, Answer>,
): DurableQueue<Item> {
  const { lineOf = () => '', now = Date.now, kept } = ports;
  let items: readonly Item[] = [];
  let sending: string | null = null;
  let halted: string | null = null;
  let retryAt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;

  const change = (next: readonly Item[]): void => {
    if (isStopped) return;
    items = next;
    kept?.keep(items);
    ports.onChange(items);
  };
  const replace = (id: string, item: Item): void => change(items.map((other) => (other.id === id ? item : other)));
  const sendAtOf = ({ sendAt = 0 }: Item): number => sendAt;

  const pump = (): void => {
    clearTimeout(timer);
    if (isStopped || sending !== null || halted !== null) return;
    const heads = headsOf(items, lineOf);
    const item = heads.find((head) => sendAtOf(head) <= now());
    if (item && retryAt <= now()) return void sendOne(item);
    if (heads.length === 0) return;
    const soonest = Math.min(...heads.map(sendAtOf));
    timer = setTimeout(pump, Math.max(0, Math.max(soonest, retryAt) - now()));
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
    if (outcome.kind === 'unanswered') {
      const { attempts = 0 } = item;
      retryAt = now() + (retryAfter[Math.min(attempts, retryAfter.length - 1)] ?? 0);
      return replace(item.id, { ...item, attempts: attempts + 1 });
    }
    retryAt = 0;
    if (outcome.kind === 'halted') {
      halted = item.id;
      return replace(item.id, { ...item, attempts: 0 });
    }
    if (outcome.kind === 'again') return replace(item.id, { ...outcome.item, attempts: 0 });
    if (outcome.kind === 'done') {
      await ports.onDone(item, outcome.answer);
      return change(items.filter(({ id }) => id !== item.id));
    }
    const goes = (other: Item) => other.id === item.id || (ports.dropsLine && lineOf(other) === lineOf(item));
    const dropped = items.filter((other) => goes(other) && other.id !== item.id);
    change(items.filter((other) => !goes(other)));
    ports.onRefused(item, outcome.error, dropped);
  }

  const adopt = (left: readonly Item[]): void => {
    const known = new Set(items.map(({ id }) => id));
    const found = left.filter(({ id }) => !known.has(id));
    if (found.length === 0) return;
    change([...found, ...items].toSorted((a, b) => (a.askedAt ?? 0) - (b.askedAt ?? 0)));
    pump();
  };
  const wake = (): void => {
    retryAt = 0;
    pump();
  };

  return {
    start() {
      isStopped = false;
      globalThis.addEventListener?.('online', wake);
      if (!kept) return;
      adopt(kept.readOwn());
      void kept.takeOver(now(), adopt);
    },
    add(item) {
      change([...items, item]);
      pump();
    },
    takeBack(id) {
      const index = items.findIndex((item) => item.id === id);
      const item = items[index];
      // Once sent, it may have arrived even though no answer came.
      if (!item || id === sending || (item.attempts ?? 0) > 0) return false;
      change(items.filter((other, at) => at < index || lineOf(other) !== lineOf(item)));
      pump();
      return true;
    },
    resume(item) {
      if (halted === null) return;
      const id = halted;
      halted = null;
      if (item) replace(id, item);
      else change(items.filter((other) => other.id !== id));
      pump();
    },
    wake,
    stop() {
      isStopped = true;
      clearTimeout(timer);
      globalThis.removeEventListener?.('online', wake);
    },
  };
}

/** The first of each line: the others wait for it. */
function headsOf<Item>(items: readonly Item[], lineOf: (item: Item) => string): Item[] {
  const seen = new Set<string>();
  return items.filter((item) => !seen.has(lineOf(item)) && seen.add(lineOf(item)));
}
