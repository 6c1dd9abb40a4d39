/** Addresses that people write by shortening another, and the page they mean. */
export const movedPages: ReadonlyMap<string, string> = new Map([['/orders', '/customer/orders']]);
