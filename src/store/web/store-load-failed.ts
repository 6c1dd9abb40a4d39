/** The text for the console when the third attempt to load a store has failed; the contract fixes its words. */
export const storeLoadFailed = 'Failed to fetch store after multiple attempts';
