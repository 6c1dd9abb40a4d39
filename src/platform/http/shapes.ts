import { z } from 'zod';
import { m } from '#messages';

export const Id = z.uuid();
/** An ISO 8601 instant from 1970 to 2999, with `Z` or an offset: `2026-11-21T18:30:00.000Z`. */
export const Instant = z.iso.datetime({ offset: true }).refine(
  (text) => {
    const at = Date.parse(text);
    return at >= 0 && at < Date.UTC(3000, 0);
  },
  { error: () => m.platform_time_range() },
);
export const LocalDate = z.iso
  .date()
  .refine((text) => text >= '1970' && text < '3000', { error: () => m.platform_time_range() });
/** An amount of money in minor units (pence). */
export const Money = z.int().min(0).max(100_000_000);

export const SingleAnswer = <T extends z.ZodType>(schema: T) => z.object({ data: schema });

export const ListAnswer = <T extends z.ZodType>(schema: T) => z.object({ data: z.array(schema) });

export const PaginatedAnswer = <T extends z.ZodType>(schema: T) =>
  z.object({
    data: z.array(schema),
    links: z.object({
      first: z.string(),
      last: z.string(),
      prev: z.string().nullable(),
      next: z.string().nullable(),
    }),
    meta: z.object({
      current_page: z.int(),
      from: z.int().nullable(),
      last_page: z.int(),
      path: z.string(),
      per_page: z.int(),
      to: z.int().nullable(),
      /**
       * The number of rows, exact up to 10,000. Above that, `total_is_exact` is false, and `last_page` is an estimate.
       */
      total: z.int(),
      total_is_exact: z.boolean(),
      /** The number of searched days; missing or null: all days. */
      searched_days: z.int().nullable().optional(),
    }),
  });

/**
 * The schema of the query `include`: a comma-separated list of `relations`, or `related` for all. A nested relation
 * includes its parents; an unknown relation is refused.
 */
export function Include<const R extends readonly string[]>(relations: R) {
  return z
    .string()
    .optional()
    .transform((text, context): R[number][] => {
      const wanted = new Set<string>();
      for (const name of (text ?? '').split(',').map((part) => part.trim())) {
        if (name === '') continue;
        if (name === 'related') relations.forEach((relation) => wanted.add(relation));
        else if (relations.includes(name)) {
          name.split('.').forEach((_, index, parts) => wanted.add(parts.slice(0, index + 1).join('.')));
        } else {
          context.addIssue({
            code: 'custom',
            message: `Unknown relation "${name}". Known: ${[...relations, 'related'].join(', ')}.`,
          });
          return z.NEVER;
        }
      }
      return relations.filter((relation) => wanted.has(relation));
    });
}

/** The query of calls without relations. The value `related` is accepted, and has no effect. */
export const EmptyIncludeQuery = z.object({ include: Include([]) });

/** The query of every list. A list with relations overrides `include`. */
export const PaginatedQuery = EmptyIncludeQuery.extend({
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  per_page: z.coerce.number().int().min(1).max(200).default(15),
});

/** The query of a long list, whose `links.next` continues after the last row's key. */
export const CursorPaginatedQuery = PaginatedQuery.extend({ after: z.string().min(1).max(600).optional() });

/** The maximum number of people in one response if the caller's sign-in is not fresh: the people of one office page. */
export const maxPeopleOnStaleSignIn = 50;
/** Documents in the API when a list of people needs a fresh sign-in (`Endpoint.freshSignInFor`). */
export const freshSignInConditionText = `more than ${maxPeopleOnStaleSignIn} in one answer`;

interface Days {
  start_date?: string | undefined;
  end_date?: string | undefined;
}

/** Whether the last day of a range is not before its first day; either day may be missing. */
export function startsBeforeEnd({ start_date: first, end_date: last }: Days): boolean {
  return first === undefined || last === undefined || first <= last;
}
export const endBeforeStartProblem = { path: ['end_date'], error: () => m.platform_days_backwards() };

/** A picture's address: a path of this origin or an https address, never a script. */
export const PictureAddress = z
  .string()
  .trim()
  .max(500)
  .regex(/^(\/(?![/\\])|https:\/\/)[^\s\\]*$/, { error: () => m.platform_picture_address() });
/** The target of a link: an http or https URL, so never a script or a file. */
export const WebAddress = z.url({ protocol: /^https?$/, error: () => m.platform_web_address() }).max(500);
