import { makeStore } from '#platform/web/store.ts';

export interface Notice {
  id: string;
  text: string;
  tone: 'plain' | 'bad';
  /** A way back, or another try. */
  action?: { label: string; run: () => void };
  /** Stays until somebody dismisses it: for what must not be missed. */
  stays: boolean;
  /** The place near which somebody acted when it was said. */
  place: Element | null;
}

/** Milliseconds that a notice stays, unless it is pointed at or focused. */
export const noticeTimeout = 5000;
const mostAtOnce = 4;
let lastId = 0;
let nearest: Element | null = null;

/** What is said at the moment, the latest last. Each face shows it in its own look (`notices.tsx`, `office/notices.tsx`). */
export const notices = makeStore<readonly Notice[]>(() => []);

/** Says something in passing, to eyes and ears. It replaces what was said under the same `id`. */
export function notify(said: { text: string } & Partial<Pick<Notice, 'id' | 'tone' | 'action' | 'stays'>>): void {
  lastId += 1;
  const notice: Notice = { id: String(lastId), tone: 'plain', stays: false, place: nearest, ...said };
  const others = notices.read().filter((other) => other.id !== notice.id);
  notices.set([...others.slice(1 - mostAtOnce), notice]);
}

export function dismissNotice(id: string): void {
  const left = notices.read().filter((notice) => notice.id !== id);
  if (left.length < notices.read().length) notices.set(left);
}

/** Tells near which of the places for notices somebody acts now. */
export function actNear(place: Element | null): void {
  nearest = place;
}
