import { plainContactText } from '#platform/plain-text.ts';

/* Validates contact fields. Pages import this file, so it must not import zod. */

/**
 * HTML's rule for email addresses, with two additions. The domain needs a dot. The local part has no dot at its start
 * or end, and no two dots in a row.
 */
export const emailPattern =
  /^(?!\.)(?!.*\.[.@])[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])$/;

/** Matches a phone number: 7 to 20 characters, of which at least six are digits. */
export const phonePattern = /^(?=(?:\D*\d){6})\+?[\d ().-]{7,20}$/;

/** Matches a domain with a non-ASCII letter or digit, which DNS encodes. */
const foreignDomain = /^(?=.*\P{ASCII})[\p{L}\p{M}\p{N}.-]+$/u;

export function normaliseEmail(text: string): string {
  const address = plainContactText(text);
  const [local, domain, ...more] = address.split('@');
  if (!domain || more.length > 0 || !foreignDomain.test(domain)) return address;
  const url = URL.parse(`http://${domain}`);
  return url ? `${local}@${url.hostname}` : address;
}

/** The last ten digits of a phone number, as in the database's `phone_key`; null without a digit. */
export function lastPhoneDigits(phone: string): string | null {
  return phone.replaceAll(/\D/g, '').slice(-10) || null;
}
