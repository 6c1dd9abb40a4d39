import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts texts for the database, each bound to the id of its row. */
export interface Seal {
  close(text: string, id: string): Buffer;
  /** null: closed by another key, for another row, or changed since. */
  open(sealed: Buffer, id: string): string | null;
}

const version = 1;
const nonceLength = 12;
const tagLength = 16;
const start = 1 + nonceLength + tagLength;

/** The key of one use, in 32 bytes: none can be computed from another. */
export function deriveKey(root: string, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', root, '', use, 32));
}

/** AES-256-GCM: version (1 byte), nonce (12), tag (16), the encrypted text. The row's id is bound to it. */
export function createSeal(root: string, use: string): Seal {
  const key = deriveKey(root, use);
  return {
    close(text, id) {
      const nonce = randomBytes(nonceLength);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(id));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), body]);
    },
    open(sealed, id) {
      if (sealed[0] !== version || sealed.length < start) return null;
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 1 + nonceLength))
        .setAAD(Buffer.from(id))
        .setAuthTag(sealed.subarray(1 + nonceLength, start));
      try {
        return Buffer.concat([decipher.update(sealed.subarray(start)), decipher.final()]).toString('utf8');
      } catch {
        return null;
      }
    },
  };
}
