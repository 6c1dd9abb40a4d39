import { createExternalStore } from '#platform/web/external-store.ts';

export interface Notice {
  id: string;
  text: string;
  tone: 'plain' | 'bad';
  /** A button in the notice, such as "Undo" or a retry. */
  action?: { label: string; run: () => void };
  stays: boolean;
  /** The container of notices that is nearest to the user's last input; null: the page's container. */
  place: Element | null;
}

/** The time for which a notice is shown (ms), unless it is hovered or focused. */
export const noticeTimeoutMs = 5000;
const maxAtOnce = 4;
let lastId = 0;
let nearest: Element | null = null;

/**
 * The current notices, the latest last. The storefront renders them by `notices.tsx`, the office by
 * `office/office-notices.tsx`.
 */
export const notices = createExternalStore<readonly Notice[]>(() => []);

/** Shows a short notice, which screen readers announce. It replaces a notice with the same `id`. */
export function notify(said: { text: string } & Partial<Pick<Notice, 'id' | 'tone' | 'action' | 'stays'>>): void {
  lastId += 1;
  const notice: Notice = { id: String(lastId), tone: 'plain', stays: false, place: nearest, ...said };
  const others = notices.read().filter((other) => other.id !== notice.id);
  notices.set([...others.slice(1 - maxAtOnce), notice]);
}

export function dismissNotice(id: string): void {
  const left = notices.read().filter((notice) => notice.id !== id);
  if (left.length < notices.read().length) notices.set(left);
}

/** Records the container nearest to the user's last input. Notices about the result of that input appear there. */
export function setNearestNoticePlace(place: Element | null): void {
  nearest = place;
}
