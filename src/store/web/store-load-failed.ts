/** What the contract has said on the console once the third try to load a store has failed, word for word. */
export const storeLoadFailed = 'Failed to fetch store after multiple attempts';
