import { z } from 'zod';
import { m } from '#messages';
import { emailPattern, phonePattern, normaliseEmail } from '#platform/contact-shapes.ts';
import { plainContactText, toPlainLine } from '#platform/plain-text.ts';

/* The schemas in this file are for names and contacts that people type or paste; all remove invisible characters. */

export const SearchText = z.string().overwrite(toPlainLine).trim().max(100);

/** The schema of a required name with at most `most` characters. `missing`: the message for an empty name. */
export const nameField = (most: number, missing: () => string) =>
  z.string().overwrite(toPlainLine).trim().min(1, { error: missing }).max(most);

export const Name = nameField(80, () => m.accounts_name_missing());

const Address = z.email({ pattern: emailPattern, error: () => m.accounts_email_wrong() }).max(120);

/** The email of a sign-in. An invalid email is accepted, because it is only compared with the accounts' emails. */
export const SignInEmail = z
  .string()
  .overwrite(normaliseEmail)
  .toLowerCase()
  .min(1, { error: () => m.accounts_email_missing() })
  .max(200);

/** An account's email in lower case, with its domain in DNS form: `grün.example` is `xn--grn-ioa.example`. */
export const Email = z.string().overwrite(normaliseEmail).toLowerCase().pipe(Address);

/**
 * An email address for contact. It keeps its capitals, because nobody signs in with it. An empty text means no address.
 */
export const EmailOrNone = z
  .string()
  .overwrite(normaliseEmail)
  .pipe(z.union([Address, z.literal('')]));

export const Phone = z
  .string()
  .overwrite(plainContactText)
  .regex(phonePattern, { error: () => m.accounts_phone_wrong() });
export const PhoneOrNone = z
  .string()
  .overwrite(plainContactText)
  .pipe(z.union([Phone, z.literal('')]));
