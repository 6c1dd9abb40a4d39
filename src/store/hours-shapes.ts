import { z } from 'zod';
import { fulfilmentTypes } from '#database/column-values.ts';
import { weekdays } from '#database/page-values.ts';
import { Instant, LocalDate } from '#platform/http/shapes.ts';
import { toPlainLine } from '#platform/plain-text.ts';
import { closureProblems, specialDayProblems } from '#store/closure-rules.ts';

export const Weekday = z
  .string()
  .transform((text) => text.charAt(0).toUpperCase() + text.slice(1).toLowerCase())
  .pipe(z.enum(weekdays));
export const ClockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Use HH:mm, for example 17:30.');

export const OpeningEntry = z.object({ day: Weekday, open: ClockTime, close: ClockTime });
export type OpeningEntry = z.infer<typeof OpeningEntry>;

/** A closure from the start of `from` to the end of `to`, which are local dates (YYYY-MM-DD). */
export const Closure = z.object({
  from: LocalDate,
  to: LocalDate,
  reason: z.string().overwrite(toPlainLine).max(200).default(''),
});
export type Closure = z.infer<typeof Closure>;

const DayHours = z.array(z.object({ open: ClockTime, close: ClockTime })).max(10);
const DayReason = z.string().overwrite(toPlainLine).max(200).default('');

/**
 * The openings of one date, which replace the week's openings; without openings the shop is closed. Dates and times are
 * local.
 */
export const SpecialDay = z.object({
  date: LocalDate,
  repeats_yearly: z.boolean().default(false).describe('On this date of every later year too.'),
  hours: DayHours,
  reason: DayReason,
  instead_of: z
    .object({ hours: DayHours, reason: DayReason })
    .nullable()
    .optional()
    .describe('Only on a day that was closed early: the day before that; null: it was as every week.'),
});
export type SpecialDay = z.infer<typeof SpecialDay>;

/** A pause of one fulfilment type only. */
export const WayPause = z.object({ fulfilment_type: z.enum(fulfilmentTypes), until: Instant, reason: z.string() });
export type WayPause = z.infer<typeof WayPause>;

export const Closures = z
  .array(Closure)
  .max(200)
  .superRefine((closures, context) => {
    for (const { index, field, message } of closureProblems(closures))
      context.addIssue({ code: 'custom', path: [index, field], message });
  });

export const SpecialDays = z
  .array(SpecialDay)
  .max(200)
  .superRefine((days, context) => {
    for (const { index, message } of specialDayProblems(days))
      context.addIssue({ code: 'custom', path: [index, 'date'], message });
  });
