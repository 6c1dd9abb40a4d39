const key = 'attach_wish';

/** Notes in this tab that an order is to go into the account that somebody signs in to next. */
export function wishToAttach(orderId: string): void {
  sessionStorage.setItem(key, orderId);
}

/** Whether that was noted for this order. */
export function isWishedFor(orderId: string): boolean {
  return sessionStorage.getItem(key) === orderId;
}

export function forgetWish(): void {
  sessionStorage.removeItem(key);
}
