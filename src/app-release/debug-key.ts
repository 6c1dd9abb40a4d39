/** The name in the certificate of the key that `npm run android` makes when it is given none. */
export const debugKeyName = 'Hatch debug';

/** Android's own tools give theirs this name. */
const androidName = 'Android Debug';

/** Whether a certificate is that of a debug key, by its subject such as `C=US, O=Android, CN=Android Debug`. */
export function isDebugKey(subject: string): boolean {
  const names = new Set(subject.split(/,\s*/));
  return names.has(`CN=${debugKeyName}`) || names.has(`CN=${androidName}`);
}
