/**
 * Fields of answers and bodies whose value opens something to whoever holds it. They stay out of the audit log, and an
 * answer that has one is not compressed: its length would tell of what is in it (BREACH).
 */
export const secretFields = ['password', 'current_password', 'token', 'session', 'replaces', 'secret', 'auth'] as const;

// In JSON a name stands between quotes and before a colon; quotes within a text have a backslash before them.
const field = new RegExp(`"(?:${secretFields.join('|')})":`);

/** Whether a JSON text has such a field, however deep. */
export function hasSecretField(json: string): boolean {
  return field.test(json);
}
