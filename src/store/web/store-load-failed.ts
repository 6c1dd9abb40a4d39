/** The text in the browser's console after the third failed load of the store; the specification fixes it. */
export const storeLoadFailedText = 'Failed to fetch store after multiple attempts';
