import { z } from 'zod';
import { m } from '#messages';

/** A new password: 8 to 200 characters of any kind. */
export const Password = z.string().min(8).max(200);

/** A password to compare with somebody's own. */
export const OwnPassword = z
  .string()
  .min(1, { error: () => m.accounts_password_missing() })
  .max(200);
