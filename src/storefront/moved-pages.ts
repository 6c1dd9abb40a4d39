/** Shortened addresses that people type, with their pages. */
export const movedPages: ReadonlyMap<string, string> = new Map([['/orders', '/customer/orders']]);
