/**
 * Fields of answers and bodies whose value gives access to anyone who knows it. They are left out of the audit log, and an
 * answer with such a field is not compressed: its length would reveal part of its content (BREACH).
 */
export const secretFields = [
  'password',
  'current_password',
  'token',
  'device_token',
  'session',
  'sessions',
  'replaces',
  'secret',
  'secret_key',
  'client_secret',
  'private_key',
  'app_code',
  'one_time_code',
  'recovery_codes',
  'invitation_link',
  'verifier',
  'auth',
] as const;

// In JSON a name is between quotes and before a colon; a quote inside a text has a backslash before it.
const field = new RegExp(`"(?:${secretFields.join('|')})":`);

/** Whether a JSON text has such a field, at any depth. */
export function hasSecretField(json: string): boolean {
  return field.test(json);
}
