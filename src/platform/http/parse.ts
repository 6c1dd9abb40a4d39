import { m } from '#messages';
import { AppError, type FieldErrors, invalidFieldError } from '#platform/errors.ts';
import { z } from 'zod';

/** The maximum number of messages in a refusal. With more messages the response could be larger than the request. */
const maxProblems = 50;

/** Validates input. Throws 422 `invalid` with the messages by field path. */
export function parseInput<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const result = schema.safeParse(input);
  const errors: FieldErrors = {};
  if (result.success) {
    refuseUnstorableText(result.data);
    return result.data;
  }
  for (const issue of result.error.issues.slice(0, maxProblems)) {
    (errors[issue.path.join('.') || 'body'] ??= []).push(issue.message);
  }
  const [first = 'Invalid input.'] = Object.values(errors)[0] ?? [];
  throw new AppError('invalid', first, { errors });
}

export function refuseUnstorableText(value: unknown): void {
  const odd = findOddText(value);
  if (odd) throw invalidFieldError(odd.join('.') || 'body', m.platform_text_odd());
}

/** The maximum nesting depth of a JSON body. */
const deepest = 64;

/**
 * Throws 422 `invalid` for too deeply nested JSON. It runs before the JSON is parsed, because 32,000 brackets would
 * take ten milliseconds to parse.
 */
export function refuseDeeplyNestedJson(json: string): void {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (isText) {
      if (code === backslash) at += 1;
      else if (code === quote) isText = false;
    } else if (code === quote) isText = true;
    // 0x5b and 0x7b are `[` and `{`; 0x5d and 0x7d are their closing brackets.
    else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > deepest + 1) throw invalidFieldError('body', m.platform_text_odd());
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
}

const quote = 0x22;
const backslash = 0x5c;

/** The path of a text that PostgreSQL cannot store, or of a value that is nested too deeply; null: none. */
function findOddText(value: unknown, depth = 0): string[] | null {
  if (typeof value === 'string') return isStorableText(value) ? null : [];
  if (value === null || typeof value !== 'object') return null;
  if (depth > deepest) return [];
  for (const [key, inner] of Object.entries(value)) {
    if (!isStorableText(key)) return [];
    const found = findOddText(inner, depth + 1);
    if (found) return [key, ...found];
  }
  return null;
}

/** Whether PostgreSQL can store a text; it rejects NUL and half a surrogate pair. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Replaces Zod's messages for developers by messages for customers, where a schema has no message of its own. */
export function setFriendlyZodMessages(): void {
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
      return formatWords[issue.format]?.();
    default:
      return undefined;
  }
}

const formatWords: Record<string, () => string> = {
  datetime: m.platform_field_time,
  date: m.platform_field_date,
  uuid: m.platform_field_id,
};
