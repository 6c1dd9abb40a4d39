/** The fewest characters of a passphrase: a stranger who has the copies may try millions. */
export const shortestPassphrase = 12;

/** Without l, o, 0 and 1, which look alike on paper: 32, so that each is worth 5 bits. */
const letters = 'abcdefghijkmnpqrstuvwxyz23456789';

/** A passphrase of 100 random bits, in groups of four: `k3v9 qm2x hb7d w4tn pe5r`. */
export function suggestPassphrase(random: Uint8Array = crypto.getRandomValues(new Uint8Array(20))): string {
  const text = [...random].map((byte) => letters[byte % letters.length]).join('');
  return text.replaceAll(/(.{4})(?=.)/g, '$1 ');
}
