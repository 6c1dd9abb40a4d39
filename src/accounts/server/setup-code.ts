import { m } from '#messages';
import { deviceCodeSigns } from '#accounts/device-code.ts';
import { countAttempt } from '#accounts/server/throttle.ts';
import type { Db } from '#database/schema.ts';
import { invalid } from '#platform/errors.ts';
import type { InstallationKeys } from '#platform/server/secrets/installation-keys.ts';
import { equalInConstantTime } from '#platform/server/secrets/equal-in-constant-time.ts';

/** The code that `/setup` asks for: 40 random bits of this installation, the same at every start until the shop is set up. */
export function setupCode(keys: InstallationKeys): string {
  return codeOf(keys.secret('hatch setup code'));
}

/** `secret` is in hex digits. */
export function codeOf(secret: string): string {
  const bytes = Buffer.from(secret, 'hex').subarray(0, 8);
  return Array.from(bytes, (byte) => deviceCodeSigns[byte % deviceCodeSigns.length]).join('');
}

/**
 * The first visitor of an empty shop is not its owner: the reader of the server's console is. Throws 422 on `code`, or
 * 429.
 */
export async function checkSetupCode(
  { db, installationKeys }: { db: Db; installationKeys: InstallationKeys },
  { code, address, now }: { code: string | null; address: string; now: Date },
): Promise<void> {
  await countAttempt(db, 'setup', { address, email: 'setup' }, now);
  if (!equalInConstantTime(code ?? '', setupCode(installationKeys)))
    throw invalid('code', m.accounts_setup_code_wrong());
}
