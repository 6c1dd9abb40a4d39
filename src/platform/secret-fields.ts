/**
 * Fields whose value grants access. The audit log omits them. A response with such a field is not compressed, because
 * the compressed length would help to guess the value (BREACH).
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
  'secret_access_key',
  'passphrase',
  'private_key',
  'app_code',
  'one_time_code',
  'recovery_codes',
  'invitation_link',
  'verifier',
  'auth',
] as const;

// This pattern finds field names only, and no text inside a JSON string: quotes inside a string are escaped with a
// backslash.
const field = new RegExp(`"(?:${secretFields.join('|')})":`);

export function hasSecretField(json: string): boolean {
  return field.test(json);
}
