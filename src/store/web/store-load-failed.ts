/** The text that the console shows after the third failed load of the store; the specification fixes it. */
export const storeLoadFailed = 'Failed to fetch store after multiple attempts';
