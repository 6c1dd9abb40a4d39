import { z } from 'zod';
import { m } from '#messages';
import { plainContactText, plainText } from '#platform/plain-text.ts';

/* Schemas of names and contacts that people type or paste; all remove invisible characters. */

export const SearchText = z.string().overwrite(plainText).trim().max(100);

/** The schema of a required name with at most `most` characters. `missing` is the message for an empty one. */
export const nameField = (most: number, missing: () => string) =>
  z.string().overwrite(plainText).trim().min(1, { error: missing }).max(most);

export const Name = nameField(80, () => m.accounts_name_missing());

/**
 * HTML's rule for email addresses. In addition the domain needs a dot, and the local part must not begin or end with
 * one.
 */
const addressShape =
  /^(?!\.)(?!.*\.[.@])[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;

const Address = z.email({ pattern: addressShape, error: () => m.accounts_email_wrong() }).max(120);

/** The email of a sign-in, which is only compared with accounts' emails: an invalid one is accepted too. */
export const SignInEmail = z
  .string()
  .overwrite(plainAddress)
  .toLowerCase()
  .min(1, { error: () => m.accounts_email_missing() })
  .max(200);

/** An account's address in lower case; its domain in DNS form: `grün.example` is `xn--grn-ioa.example`. */
export const Email = z.string().overwrite(plainAddress).toLowerCase().pipe(Address);

/** An email that only receives mail, so it keeps its capitals; or an empty text. */
export const EmailOrNone = z
  .string()
  .overwrite(plainAddress)
  .pipe(z.union([Address, z.literal('')]));

/** The form of a phone number: 7 to 20 characters, of which at least six are digits. */
const phoneShape = /^(?=(?:\D*\d){6})\+?[\d ().-]{7,20}$/;

export const Phone = z
  .string()
  .overwrite(plainContactText)
  .regex(phoneShape, { error: () => m.accounts_phone_wrong() });
export const PhoneOrNone = z
  .string()
  .overwrite(plainContactText)
  .pipe(z.union([Phone, z.literal('')]));

/** Matches a domain with a letter or digit outside ASCII, which DNS encodes. */
const foreignDomain = /^(?=.*\P{ASCII})[\p{L}\p{M}\p{N}.-]+$/u;

function plainAddress(text: string): string {
  const address = plainContactText(text);
  const [local, domain, ...more] = address.split('@');
  if (!domain || more.length > 0 || !foreignDomain.test(domain)) return address;
  const url = URL.parse(`http://${domain}`);
  return url ? `${local}@${url.hostname}` : address;
}
