/** Shortened paths that people type, each with the path of its page. */
export const shortPathRedirects: ReadonlyMap<string, string> = new Map([['/orders', '/customer/orders']]);
