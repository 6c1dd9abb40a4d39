import { personalStorageKeys } from '#accounts/web/personal-storage.ts';

const storageKey = personalStorageKeys.orderSessions;
const kept = 30;
const recent = 3 * 24 * 60 * 60_000;
const shownAtMost = 5;

/**
 * Returns the secret of an order that was placed in this browser. With it the whole order can be read, paid and
 * cancelled.
 */
export function readStoredOrderSession(orderId: string): string | null {
  return load().find(([id]) => id === orderId)?.[1] ?? null;
}

export function orderSessionHeader(orderId: string): Record<string, string> {
  const session = readStoredOrderSession(orderId);
  return session === null ? {} : { 'x-order-session': session };
}

export function readStoredOrderSessions(): string[] {
  return load().map(([, session]) => session);
}

/** The ids of the orders that were placed in this browser, newest first. */
export function readStoredOrderIds(): string[] {
  return load().map(([id]) => id);
}

export function saveOrderSession(orderId: string, session: string): void {
  const others = load().filter(([id]) => id !== orderId);
  try {
    localStorage.setItem(storageKey, JSON.stringify([[orderId, session], ...others].slice(0, kept)));
  } catch {
    // Without storage the page shows only the guest's view of the order.
  }
}

/**
 * The ids of at most five of this browser's orders that may still be open, newest first. Orders of the last three days
 * count, because an order may be for the day after tomorrow. An id is a UUID of version 7, which begins with the time
 * in milliseconds (RFC 9562).
 */
export function readRecentOrderIds(now: Date): string[] {
  const oldest = now.getTime() - recent;
  return readStoredOrderIds()
    .filter((id) => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16) >= oldest)
    .slice(0, shownAtMost);
}

function load(): [id: string, session: string][] {
  try {
    const held: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]');
    return Array.isArray(held) ? (held as [string, string][]) : [];
  } catch {
    return [];
  }
}
