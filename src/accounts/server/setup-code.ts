import { timingSafeEqual } from 'node:crypto';
import { m } from '#messages';
import { deviceCodeSigns } from '#accounts/device-code.ts';
import { countAttempt } from '#accounts/server/throttle.ts';
import { installationSecret } from '#database/installation-secret.ts';
import type { Db } from '#database/schema.ts';
import { invalid } from '#platform/errors.ts';

/** The code that `/setup` asks for: 40 random bits of this installation, the same at every start until the shop is set up. */
export async function setupCode(db: Db): Promise<string> {
  const secret = Buffer.from(await installationSecret(db, 'setup code'), 'hex');
  return Array.from(secret.subarray(0, 8), (byte) => deviceCodeSigns[byte % deviceCodeSigns.length]).join('');
}

/** Who is first at an empty shop is not its owner: who reads the server's console is. Throws 422 on `code`, or 429. */
export async function checkSetupCode(db: Db, code: string | null, address: string, now: Date): Promise<void> {
  await countAttempt(db, 'setup', { address, email: 'setup' }, now);
  const expected = Buffer.from(await setupCode(db));
  if (!timingSafeEqual(Buffer.from((code ?? '').padEnd(expected.length)), expected)) {
    throw invalid('code', m.accounts_setup_code_wrong());
  }
}
