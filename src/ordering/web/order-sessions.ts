const storageKey = 'order_sessions';
const kept = 30;

/** The secret of an order that was placed in this browser: with it the whole order may be read, paid and cancelled. */
export function orderSessionOf(orderId: string): string | null {
  return load().find(([id]) => id === orderId)?.[1] ?? null;
}

export function keepOrderSession(orderId: string, session: string): void {
  const others = load().filter(([id]) => id !== orderId);
  try {
    localStorage.setItem(storageKey, JSON.stringify([[orderId, session], ...others].slice(0, kept)));
  } catch {
    // Without storage the order shows as it does to a guest.
  }
}

/** The order that was placed last here, if any. */
export function lastOrderId(): string | null {
  return load()[0]?.[0] ?? null;
}

function load(): [id: string, session: string][] {
  try {
    const held: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]');
    return Array.isArray(held) ? (held as [string, string][]) : [];
  } catch {
    return [];
  }
}
