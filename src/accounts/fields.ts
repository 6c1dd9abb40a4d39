import { z } from 'zod';
import { m } from '#messages';
import { isPlainName } from '#platform/plain-name.ts';

/** Trimmed, in lower case. */
export const Email = z
  .string()
  .trim()
  .toLowerCase()
  .pipe(z.email({ error: () => m.accounts_email_wrong() }).max(120));
/** A new password: 8 to 200 characters of any kind. */
export const Password = z.string().min(8).max(200);

/** What a person is called, in characters that can be seen. */
export const Name = z
  .string()
  .trim()
  .min(1, { error: () => m.accounts_name_missing() })
  .max(80)
  .refine(isPlainName, { error: () => m.accounts_name_invisible() });

export const Phone = z
  .string()
  .trim()
  .regex(/^\+?[\d\s().-]{7,20}$/, { error: () => m.accounts_phone_wrong() });

/** A password to compare with somebody's own. */
export const OwnPassword = z
  .string()
  .min(1, { error: () => m.accounts_password_missing() })
  .max(200);
