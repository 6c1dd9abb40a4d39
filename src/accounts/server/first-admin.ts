import { randomBytes } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { spellDeviceCode } from '#accounts/device-code.ts';
import { type NoticeServices, sendNotice, sendSignInNotice } from '#accounts/server/account-mail.ts';
import { removeFactors, type TotpSecrets } from '#accounts/server/factors/factor-rows.ts';
import { endSignIns } from '#accounts/server/sign-ins.ts';
import { setupCode } from '#accounts/server/setup-code.ts';
import { weaknessOf } from '#accounts/server/new-password.ts';
import { forgiveAccount } from '#accounts/server/throttle.ts';
import { createUser, findUserByEmail } from '#accounts/server/users.ts';
import { hashPassword, matchPassword } from '#accounts/server/hash-password.ts';
import { writeAudit } from '#database/audit.ts';
import type { Db } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import type { Viewer } from '#platform/http/viewer.ts';
import type { InstallationKeys } from '#platform/server/secrets/installation-keys.ts';

const demoEmail = 'owner@example.com';

type AdminServices = NoticeServices & { db: Db; now: () => Date; totpSecrets: TotpSecrets };

/**
 * Makes sure that somebody can run the shop: the configured admin, or a demo owner with a generated password
 * in the data folder, readable only for its owner. Returns the text that says how to sign in.
 */
export async function prepareAdmin(
  services: AdminServices & {
    installationKeys: InstallationKeys;
    config: { ADMIN_EMAIL?: string | undefined; ADMIN_PASSWORD?: string | undefined; dataDir: string };
  },
  isSeeded: boolean,
): Promise<(url: string) => string> {
  const { config, db, now } = services;
  if (config.ADMIN_EMAIL && config.ADMIN_PASSWORD) {
    await ensureAdmin(services, config.ADMIN_EMAIL, config.ADMIN_PASSWORD);
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
    await createUser(db, { name: 'Owner', email: demoEmail, role: 'admin', password, createdAt: now() });
  }
  if (!admin && !isSeeded) {
    const code = spellDeviceCode(setupCode(services.installationKeys));
    return (url) => `Set it up at ${url}/setup with the code ${code}`;
  }
  const demo = await findUserByEmail(db, demoEmail);
  const password = (await readFile(file, 'utf8').catch(() => '')).trim();
  if (demo && password && (await matchPassword(password, demo.password_hash))) {
    return (url) => `Sign in at ${url}/login as ${demoEmail} with the password ${password}`;
  }
  // The owner has changed the password since: the generated one no longer works.
  await rm(file, { force: true });
  return (url) => `Sign in at ${url}/login`;
}

/**
 * Creates the admin of `ADMIN_EMAIL`, or restores that role and password. Older sign-ins end with the old password. The
 * person who starts the server is never locked out: the account's second factor is removed. The audit log and mails say
 * both.
 */
async function ensureAdmin(services: AdminServices, email: string, password: string): Promise<void> {
  const { db, now } = services;
  const existing = await findUserByEmail(db, email);
  if (!existing) {
    await createUser(db, { name: 'Admin', email, role: 'admin', password, createdAt: now() });
    return;
  }
  await inTransaction(db, async (tx) => {
    if (!(await removeFactors(tx, services.totpSecrets, existing.id))) return;
    await writeAudit(tx, { ...changeAtStart(existing.id, now()), action: 'DELETE /v1/auth/factors' });
    await sendSignInNotice(tx, services, { change: 'removed_at_start', to: existing, at: now() });
  });
  if (existing.role === 'admin' && (await matchPassword(password, existing.password_hash))) return;
  const passwordHash = await hashPassword(password);
  const isDone = await inTransaction(db, async (tx) => {
    const changed = await tx
      .updateTable('users')
      .set({ role: 'admin', password_hash: passwordHash })
      .where('id', '=', existing.id)
      .where('role', '=', existing.role)
      .where(sql<boolean>`password_hash is not distinct from ${existing.password_hash}`)
      .returning('id')
      .executeTakeFirst();
    if (!changed) return false;
    await endSignIns(tx, existing.id, now());
    const body = existing.role === 'admin' ? undefined : { role: 'admin', role_before: existing.role };
    await writeAudit(tx, { ...changeAtStart(existing.id, now()), action: 'PATCH /v1/auth/password', body });
    await sendNotice(tx, services, 'password_changed', existing);
    return true;
  });
  // Another instance that starts at once was faster.
  if (!isDone) await ensureAdmin(services, email, password);
}

/** The audit log's words for changes by a start, or by a command on the shop's computer: no call makes them. */
export const startSummaries = {
  'DELETE /v1/auth/factors': { summary: "The shop's computer removed the second factors of the account." },
  'PATCH /v1/auth/password': { summary: "The shop's computer set the password of the account." },
};

function changeAtStart(id: string, at: Date) {
  const viewer: Viewer = { id: null, name: 'ADMIN_EMAIL', role: 'admin', scopes: [], signInId: null };
  return { viewer, params: { id }, body: undefined, answer: null, requestId: 'start', at };
}
