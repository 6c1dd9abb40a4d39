import { z } from 'zod';
import { m } from '#messages';
import { normalisePrefix } from '#store/postcodes.ts';
import { weekdays } from '#store/weekdays.ts';

// Texts of a store's fields with a format, as they may be sent.

export const Weekday = z
  .string()
  .transform((text) => text.charAt(0).toUpperCase() + text.slice(1).toLowerCase())
  .pipe(z.enum(weekdays));
export const ClockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Use HH:mm, for example 17:30.');

export const PostcodePrefix = z.string().transform((text, context) => {
  const prefix = normalisePrefix(text);
  if (prefix !== null) return prefix;
  context.addIssue({ code: 'custom', message: m.store_prefix_invalid() });
  return z.NEVER;
});

export const Slug = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'Use small letters, digits and hyphens.')
  .max(80);

export const Colour = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, 'Use a colour such as #b92f16.')
  .toLowerCase();

export const Currency = z.string().refine(isCurrency, { error: () => m.store_currency_unknown() });
export const TimeZone = z.string().refine(isTimeZone, 'Not a known time zone.');

function isCurrency(code: string): boolean {
  return Intl.supportedValuesOf('currency').includes(code);
}

function isTimeZone(name: string): boolean {
  try {
    Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
