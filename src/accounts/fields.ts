import { z } from 'zod';
import { m } from '#messages';

/** As RFC 8265's OpaqueString has it, so that two keyboards give one password: NFC, and every blank is U+0020. */
export function preparePassword(password: string): string {
  return password.replaceAll(/\p{Zs}/gu, ' ').normalize('NFC');
}

/** A new password: 8 to 200 characters of any kind, counted as they are hashed. */
export const Password = z.string().overwrite(preparePassword).min(8).max(200);

/** A password to compare with somebody's own. */
export const OwnPassword = z
  .string()
  .min(1, { error: () => m.accounts_password_missing() })
  .max(200);
