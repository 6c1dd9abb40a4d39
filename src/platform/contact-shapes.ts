import { plainContactText } from '#platform/plain-text.ts';

/* Validates contact fields. Pages import this file, so it must not import zod. */

/**
 * HTML's rule for email addresses. In addition the domain needs a dot, and the local part must not begin or end with
 * one.
 */
export const emailPattern =
  /^(?!\.)(?!.*\.[.@])[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])$/;

/** The form of a phone number: 7 to 20 characters, of which at least six are digits. */
export const phonePattern = /^(?=(?:\D*\d){6})\+?[\d ().-]{7,20}$/;

/** Matches a domain with a letter or digit outside ASCII, which DNS encodes. */
const foreignDomain = /^(?=.*\P{ASCII})[\p{L}\p{M}\p{N}.-]+$/u;

export function normaliseEmail(text: string): string {
  const address = plainContactText(text);
  const [local, domain, ...more] = address.split('@');
  if (!domain || more.length > 0 || !foreignDomain.test(domain)) return address;
  const url = URL.parse(`http://${domain}`);
  return url ? `${local}@${url.hostname}` : address;
}

/** The last ten digits of a phone number, as the database's `phone_key`; null if it has no digit. */
export function lastPhoneDigits(phone: string): string | null {
  return phone.replaceAll(/\D/g, '').slice(-10) || null;
}
