/** The console's text after the third failed load; the contract fixes it. */
export const storeLoadFailed = 'Failed to fetch store after multiple attempts';
