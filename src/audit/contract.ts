import { refusedCallOutcomes } from '#database/column-values.ts';
import { z } from 'zod';
import { auditAreas } from '#audit/areas.ts';
import { journalCheckSchema } from '#database/journal/journal.ts';
import { SearchText } from '#platform/contact-fields.ts';
import {
  startsBeforeEnd,
  endBeforeStartProblem,
  Id,
  Instant,
  LocalDate,
  CursorPaginatedQuery,
  SingleAnswer,
  PaginatedAnswer,
} from '#platform/http/shapes.ts';

/** A line of the audit log: author, subject and sent values, without secrets and details of customers. */
export const AuditLine = z.object({
  id: Id,
  at: Instant,
  actor: z.string(),
  actor_id: Id.nullable(),
  role: z.string(),
  store_id: Id.nullable(),
  /** The call, e.g. `POST /v1/orders/{id}/accept`. */
  action: z.string(),
  /** Why the call was refused: not allowed, throttled, or a wrong password; null: the call succeeded. */
  outcome: z.enum(refusedCallOutcomes).nullable(),
  summary: z.string(),
  subject_id: z.string().nullable(),
  /**
   * The name or number of the changed object; null: the call changed no single object, or the object no longer exists.
   */
  subject: z.string().nullable(),
  detail: z.record(z.string(), z.unknown()).nullable(),
  request_id: z.string(),
});
export type AuditLine = z.infer<typeof AuditLine>;

export const AuditCheck = journalCheckSchema(z.literal('audit')).extend({ checked_at: Instant });
export type AuditCheck = z.infer<typeof AuditCheck>;

export const auditEndpoints = {
  'GET /v1/audit/check': {
    readsPast: true,
    access: 'admin',
    summary: 'Verify the chain of the log of changes: whether a line was changed, removed or added behind it.',
    response: SingleAnswer(AuditCheck),
  },
  'GET /v1/audit': {
    readsPast: true,
    access: 'admin',
    summary: 'Search the log of changes, newest first.',
    query: CursorPaginatedQuery.extend({
      /**
       * Finds this text in the author, the call or its description, the sent values, the changed object's id or name,
       * or the order's number.
       */
      search: SearchText.optional(),
      actor_id: Id.optional(),
      subject_id: z.string().max(100).optional(),
      area: z.enum(auditAreas).optional(),
      /** `start_date` and `end_date` are days in the shop's time zone, both included. */
      start_date: LocalDate.optional(),
      end_date: LocalDate.optional(),
    }).refine(startsBeforeEnd, endBeforeStartProblem),
    response: PaginatedAnswer(AuditLine),
  },
} as const;
