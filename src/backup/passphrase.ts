/** The minimum length in characters. It is high, because a thief of the backups can try millions of passphrases. */
export const minPassphraseLength = 12;

/**
 * The alphabet: 32 letters and digits, so each character of a passphrase has 5 bits. It lacks l, o, 0 and 1, because
 * they look alike on paper.
 */
const letters = 'abcdefghijkmnpqrstuvwxyz23456789';

/** Generates a passphrase of 100 random bits: `k3v9 qm2x hb7d w4tn pe5r`. */
export function suggestPassphrase(random: Uint8Array = crypto.getRandomValues(new Uint8Array(20))): string {
  const text = [...random].map((byte) => letters[byte % letters.length]).join('');
  return text.replaceAll(/(.{4})(?=.)/g, '$1 ');
}
