/** The browser's keys of personal data, deleted at signing out. */
export const personKeys = {
  orderSessions: 'order_sessions',
  unpaidOrder: 'waiting_order',
  seenOrders: 'seen_orders',
  followedOrders: 'followed_orders',
  guestDetails: 'guest_details',
  lastMethod: 'last_method',
  /** These two are in sessionStorage. */
  checkoutDraft: 'checkout',
  complaintDraft: 'complaint',
} as const;

/** Removes all of it from this browser and this tab. */
export function forgetPerson(): void {
  for (const key of Object.values(personKeys)) {
    try {
      localStorage.removeItem(key);
      sessionStorage.removeItem(key);
    } catch {
      // Without storage there is nothing to remove.
    }
  }
}
