import { personKeys } from '#accounts/web/person-keys.ts';
import type { PaymentMethod } from '#store/contract.ts';

const storageKey = personKeys.lastMethod;

/** How this browser's last order was paid; null before the first. It stays when an order's draft ends. */
export function readLastMethod(): PaymentMethod | null {
  try {
    const kept = localStorage.getItem(storageKey);
    return kept === 'card' || kept === 'cash' ? kept : null;
  } catch {
    return null;
  }
}

export function keepLastMethod(method: PaymentMethod): void {
  try {
    localStorage.setItem(storageKey, method);
  } catch {
    // Without storage only this convenience is lost.
  }
}
