/** The keys under which the browser stores personal data, which is deleted when the person signs out. */
export const personalStorageKeys = {
  orderSessions: 'order_sessions',
  unpaidOrder: 'waiting_order',
  seenOrders: 'seen_orders',
  followedOrders: 'followed_orders',
  guestDetails: 'guest_details',
  lastMethod: 'last_method',
  favouriteDishes: 'favourite_dishes',
  usualHeight: 'usual_height',
  /** The two drafts are in sessionStorage, all other values in localStorage. */
  checkoutDraft: 'checkout',
  complaintDraft: 'complaint',
} as const;

export function forgetPersonalData(): void {
  for (const key of Object.values(personalStorageKeys)) {
    try {
      localStorage.removeItem(key);
      sessionStorage.removeItem(key);
    } catch {
      // Without storage no personal data is stored.
    }
  }
}
