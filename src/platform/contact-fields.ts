import { z } from 'zod';
import { m } from '#messages';
import { plainCode, plainText } from '#platform/plain-text.ts';

/* Names and contacts as input; invisible characters of a paste are removed. */

export const SearchText = z.string().overwrite(plainText).trim().max(100);

/** At most `most` characters, none of them invisible. */
export const nameField = (most: number, missing: () => string) =>
  z.string().overwrite(plainText).trim().min(1, { error: missing }).max(most);

export const Name = nameField(80, () => m.accounts_name_missing());

/** HTML's rule for addresses, with a dot in the domain and none at the ends of the local part. */
const addressShape =
  /^(?!\.)(?!.*\.[.@])[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;

const Address = z.email({ pattern: addressShape, error: () => m.accounts_email_wrong() }).max(120);

/** An address that is compared with an account's own: as typed, even if it is invalid. */
export const OwnEmail = z
  .string()
  .overwrite(plainAddress)
  .toLowerCase()
  .min(1, { error: () => m.accounts_email_missing() })
  .max(200);

/** An account's address in lower case; its domain in DNS form: `grün.example` is `xn--grn-ioa.example`. */
export const Email = z.string().overwrite(plainAddress).toLowerCase().pipe(Address);

/** An address that only receives mail keeps its capitals. */
export const EmailOrNone = z
  .string()
  .overwrite(plainAddress)
  .pipe(z.union([Address, z.literal('')]));

/** 7 to 20 characters, six digits among them. */
const phoneShape = /^(?=(?:\D*\d){6})\+?[\d ().-]{7,20}$/;

export const Phone = z
  .string()
  .overwrite(plainCode)
  .regex(phoneShape, { error: () => m.accounts_phone_wrong() });
export const PhoneOrNone = z
  .string()
  .overwrite(plainCode)
  .pipe(z.union([Phone, z.literal('')]));

/** Letters of any script, digits, dots and hyphens. */
const foreignDomain = /^(?=.*\P{ASCII})[\p{L}\p{M}\p{N}.-]+$/u;

function plainAddress(text: string): string {
  const address = plainCode(text);
  const [local, domain, ...more] = address.split('@');
  if (!domain || more.length > 0 || !foreignDomain.test(domain)) return address;
  const url = URL.parse(`http://${domain}`);
  return url ? `${local}@${url.hostname}` : address;
}
