import { randomBytes } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { spellDeviceCode } from '#accounts/device-code.ts';
import { setupCode } from '#accounts/server/setup-code.ts';
import { weaknessOf } from '#accounts/server/new-password.ts';
import { forgiveAccount } from '#accounts/server/throttle.ts';
import { createUser, ensureAdmin, findUserByEmail } from '#accounts/server/users.ts';
import { openTotpSecrets } from '#accounts/server/factors/factor-rows.ts';
import { verifyPassword } from '#accounts/server/hash-password.ts';
import type { Db } from '#database/schema.ts';

const demoEmail = 'owner@example.com';

/**
 * Makes sure that somebody can run the shop: the configured admin, or a demo owner with a generated password
 * in the data folder, readable only for its owner. Returns the text that says how to sign in.
 */
export async function prepareAdmin(
  db: Db,
  config: {
    ADMIN_EMAIL?: string | undefined;
    ADMIN_PASSWORD?: string | undefined;
    SECRETS_KEY?: string | undefined;
    dataDir: string;
  },
  isSeeded: boolean,
): Promise<(url: string) => string> {
  if (config.ADMIN_EMAIL && config.ADMIN_PASSWORD) {
    await ensureAdmin(db, config.ADMIN_EMAIL, config.ADMIN_PASSWORD, openTotpSecrets(config));
    await forgiveAccount(db, config.ADMIN_EMAIL);
    // Not refused: a shop must start with the settings that it had yesterday.
    const weakness = weaknessOf(config.ADMIN_PASSWORD, [config.ADMIN_EMAIL]);
    const warning = weakness === null ? '' : `\n  ADMIN_PASSWORD: ${weakness}`;
    return (url) => `Sign in at ${url}/login as ${config.ADMIN_EMAIL}${warning}`;
  }
  const file = join(config.dataDir, 'demo-password');
  const admin = await db.selectFrom('users').select('id').where('role', '=', 'admin').limit(1).executeTakeFirst();
  if (!admin && isSeeded) {
    const password = randomBytes(9).toString('base64url');
    await writeFile(file, `${password}\n`, { mode: 0o600 });
    await createUser(db, { name: 'Owner', email: demoEmail, role: 'admin', password });
  }
  if (!admin && !isSeeded) {
    const code = spellDeviceCode(await setupCode(db));
    return (url) => `Set it up at ${url}/setup with the code ${code}`;
  }
  const demo = await findUserByEmail(db, demoEmail);
  const password = (await readFile(file, 'utf8').catch(() => '')).trim();
  if (demo && password && (await verifyPassword(password, demo.password_hash))) {
    return (url) => `Sign in at ${url}/login as ${demoEmail} with the password ${password}`;
  }
  // The owner has changed the password since: the generated one no longer works.
  await rm(file, { force: true });
  return (url) => `Sign in at ${url}/login`;
}
