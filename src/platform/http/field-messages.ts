import { z } from 'zod';
import { m } from '#messages';

/** The message for a form's field whose schema has no message of its own: written for customers, not for developers. */
export function useFriendlyWords(): void {
  z.config({ customError: (issue) => wordsFor(issue) });
}

function wordsFor(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined || issue.input === null) return m.platform_field_needed();
      if (issue.expected === 'int') return m.platform_field_whole_number();
      return issue.expected === 'number' ? m.platform_field_number() : m.platform_field_kind({ kind: issue.expected });
    case 'too_small':
      if (issue.origin === 'string')
        return Number(issue.minimum) === 1
          ? m.platform_field_needed()
          : m.platform_field_too_short({ least: Number(issue.minimum) });
      return m.platform_field_at_least({ least: String(issue.minimum) });
    case 'too_big':
      if (issue.origin === 'string') return m.platform_field_too_long({ most: Number(issue.maximum) });
      return m.platform_field_at_most({ most: String(issue.maximum) });
    case 'invalid_value':
      return m.platform_field_one_of({ values: issue.values.map(String).join(', ') });
    case 'invalid_format':
      if (issue.format === 'datetime') return m.platform_field_time();
      if (issue.format === 'date') return m.platform_field_date();
      return issue.format === 'uuid' ? m.platform_field_id() : undefined;
    default:
      return undefined;
  }
}
