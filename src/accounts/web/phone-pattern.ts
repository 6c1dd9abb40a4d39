/** What the contract takes for a phone number, as an input's `pattern`: those are compiled with the `v` flag. */
export const phonePattern = String.raw`\+?[\d\s\(\)\.\-]{7,20}`;
