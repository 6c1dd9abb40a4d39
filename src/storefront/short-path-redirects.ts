/** Shortened paths that people type, and the paths of their pages. */
export const shortPathRedirects: ReadonlyMap<string, string> = new Map([['/orders', '/customer/orders']]);
