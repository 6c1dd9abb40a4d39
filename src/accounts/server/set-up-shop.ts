import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { type Insertable, sql } from 'kysely';
import type { z } from 'zod';
import { m } from '#messages';
import type { setupEndpoints } from '#accounts/contract.ts';
import { createUser, findUserByEmail, type UserRow } from '#accounts/server/users.ts';
import type { Db, StoresTable } from '#database/schema.ts';
import { inTransaction, changeWithEffects } from '#database/transaction.ts';
import { AppError, type FieldErrors, invalidFieldError } from '#platform/errors.ts';
import { insertNewMenu } from '#menu/server/editing/write-difference.ts';
import { createStore, lockFirstStoreCreation } from '#store/server/change-store.ts';
import { hasEverHadStore } from '#store/server/store-views.ts';
import { slugOf } from '#store/contract.ts';
import { weekdays } from '#database/page-values.ts';
import type { AccountServices } from '#accounts/server/services.ts';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deviceCodeCharacters, formatDeviceCode } from '#accounts/devices.ts';
import { type NoticeServices, sendAccountNotice, sendFactorNotice } from '#accounts/server/account-mail.ts';
import { removeFactors, type TotpSecrets } from '#accounts/server/factors/factor-rows.ts';
import { endSignIns } from '#accounts/server/sign-ins.ts';
import { hashPassword, matchPassword, passwordWeakness } from '#accounts/server/hash-password.ts';
import { countAttempt, clearAccountAttemptCounts } from '#accounts/server/throttle.ts';
import { writeAudit } from '#database/audit.ts';
import type { Viewer } from '#platform/http/viewer.ts';
import type { InstallationKeys } from '#platform/server/secrets/installation-keys.ts';
import { equalInConstantTime } from '#platform/server/secrets/secret-store.ts';

type SetupBody = Omit<z.output<(typeof setupEndpoints)['POST /v1/setup']['body']>, 'code'>;

/** True until a shop is created. A deleted shop counts as created. */
export async function isSetupNeeded(db: Db): Promise<boolean> {
  return !(await hasEverHadStore(db));
}

/**
 * Whether the code of `/setup` can create the owner's account: there is no admin, and no shop was ever created. An
 * existing admin signs in and names the shop instead.
 */
export async function isOwnerNeeded(db: Db): Promise<boolean> {
  return !(await hasAdmin(db)) && isSetupNeeded(db);
}

export async function hasAdmin(db: Db): Promise<boolean> {
  const admin = await db.selectFrom('users').select('id').where('role', '=', 'admin').limit(1).executeTakeFirst();
  return admin !== undefined;
}

export async function refuseSecondSetup(db: Db): Promise<void> {
  if (!(await isOwnerNeeded(db))) throw new AppError('already_set_up', m.accounts_already_set_up());
}

/**
 * Creates the owner's account and a closed shop with default hours (daily 17:00 to 22:00), collection and cash. A
 * concurrent second call is refused with `already_set_up`.
 */
export async function setUpShop(
  services: Pick<AccountServices, 'db' | 'keySets' | 'log' | 'menus' | 'outbox'>,
  { owner, store }: SetupBody,
  now: Date,
): Promise<UserRow> {
  return changeWithEffects(services, async (tx, afterCommit) => {
    await lockFirstStoreCreation(tx);
    await refuseSecondSetup(tx);
    const user = await createUser(tx, { ...owner, role: 'admin', createdAt: now });
    if (!user) throw invalidFieldError('owner.email', m.accounts_email_taken());
    const storeId = randomUUIDv7();
    const first: Insertable<StoresTable> & { id: string } = {
      id: storeId,
      name: store.name,
      slug: slugOf(store.name),
      phone: store.phone,
      address: JSON.stringify({ line1: '', line2: '', city: '', postcode: store.postcode }),
      operational_hours: JSON.stringify(weekdays.map((day) => ({ day, open: '17:00', close: '22:00' }))),
      closures: '[]',
      delivery_zones: '[]',
      payment_methods: JSON.stringify({ collection: ['cash'], delivery: ['cash'] }),
      // The shop takes no orders until its owner presses Go live.
      is_accepting_orders: false,
      created_at: now,
    };
    const menu = { id: randomUUIDv7(), store_id: storeId, name: m.accounts_first_menu_name(), position: 0 };
    await createStore(services, { db: tx, afterCommit }, first, () => insertNewMenu(tx, { menus: [menu] }));
    return user;
  });
}

const demoEmail = 'owner@example.com';

type AdminServices = NoticeServices & { db: Db; now: () => Date; totpSecrets: TotpSecrets };

/**
 * Ensures that the admin of `ADMIN_EMAIL` has an account. Without that setting, a seeded database without an admin gets
 * a demo owner, whose generated password is in a private file of the data folder. Returns a function that makes the
 * console's text about signing in or setting up.
 */
export async function ensureAdminAtStart(
  services: AdminServices & {
    installationKeys: InstallationKeys;
    config: { ADMIN_EMAIL?: string | undefined; ADMIN_PASSWORD?: string | undefined; dataDir: string };
  },
  isSeeded: boolean,
): Promise<(url: string) => string> {
  const { config, db, now } = services;
  if (config.ADMIN_EMAIL && config.ADMIN_PASSWORD) {
    await ensureAdmin(services, config.ADMIN_EMAIL, config.ADMIN_PASSWORD);
    await clearAccountAttemptCounts(db, config.ADMIN_EMAIL);
    // A weak password gets only a warning, because a restart must not fail with settings that an earlier version
    // accepted.
    const weakness = passwordWeakness(config.ADMIN_PASSWORD, [config.ADMIN_EMAIL]);
    const warning = weakness === null ? '' : `\n  ADMIN_PASSWORD: ${weakness}`;
    return (url) => `Sign in at ${url}/login as ${config.ADMIN_EMAIL}${warning}`;
  }
  const file = join(config.dataDir, 'demo-password');
  const isOwned = await hasAdmin(db);
  if (!isOwned && isSeeded) {
    const password = randomBytes(9).toString('base64url');
    await writeFile(file, `${password}\n`, { mode: 0o600 });
    await createUser(db, { name: 'Owner', email: demoEmail, role: 'admin', password, createdAt: now() });
  }
  if (!isOwned && !isSeeded) {
    const code = formatDeviceCode(setupCode(services.installationKeys));
    return (url) => `Set it up at ${url}/setup with the code ${code}`;
  }
  const demo = await findUserByEmail(db, demoEmail);
  const password = (await readFile(file, 'utf8').catch(() => '')).trim();
  if (demo && password && (await matchPassword(password, demo.password_hash))) {
    return (url) => `Sign in at ${url}/login as ${demoEmail} with the password ${password}`;
  }
  // The password in the file `demo-password`, if any, does not open the demo owner's account, so the file is deleted.
  await rm(file, { force: true });
  return (url) => `Sign in at ${url}/login`;
}

/**
 * Creates the admin of `ADMIN_EMAIL`, or restores their role and password, which ends earlier sign-ins. Second factors
 * are removed at each start, so that the person who starts the server is never locked out. The audit log and mails
 * report each change of an existing account.
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
    await sendFactorNotice(tx, services, { change: 'removed_at_start', to: existing, at: now() });
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
    await sendAccountNotice(tx, services, 'password_changed', existing);
    return true;
  });
  // Another instance that starts at the same time has changed the account first, so the change is tried again.
  if (!isDone) await ensureAdmin(services, email, password);
}

/**
 * The summaries of audit lines about changes by the server's start or a local command. All other audit lines have the
 * summary of their call.
 */
export const auditSummariesOfStart = {
  'DELETE /v1/auth/factors': { summary: "The shop's computer removed the second factors of the account." },
  'PATCH /v1/auth/password': { summary: "The shop's computer set the password of the account." },
};

function changeAtStart(id: string, at: Date) {
  const viewer: Viewer = { id: null, name: 'ADMIN_EMAIL', role: 'admin', scopes: [], signInId: null };
  return { viewer, params: { id }, body: undefined, answer: null, requestId: 'start', at };
}

/** The code of `/setup`: 40 bits derived from the installation's key, so that the code is the same at every start. */
export function setupCode(keys: InstallationKeys): string {
  return setupCodeFrom(keys.secret('hatch setup code'));
}

export function setupCodeFrom(secret: string): string {
  const bytes = Buffer.from(secret, 'hex').subarray(0, 8);
  return Array.from(bytes, (byte) => deviceCodeCharacters[byte % deviceCodeCharacters.length]).join('');
}

/**
 * Checks the code and the password of a setup. The code proves that the caller can read the server's terminal. Throws
 * 422 with every fault, or 429.
 */
export async function checkSetup(
  { db, installationKeys }: { db: Db; installationKeys: InstallationKeys },
  { code, owner, store }: SetupBody & { code: string | null },
  { address, now }: { address: string; now: Date },
): Promise<void> {
  await countAttempt(db, 'setup', { address, email: 'setup' }, now);
  const isRight = equalInConstantTime(code ?? '', setupCode(installationKeys));
  const weakness = passwordWeakness(owner.password, [owner.name, owner.email, store.name]);
  const errors: FieldErrors = {
    ...(!isRight && { code: [m.accounts_setup_code_wrong()] }),
    ...(weakness !== null && { 'owner.password': [weakness] }),
  };
  const [message] = Object.values(errors).flat();
  if (message !== undefined) throw new AppError('invalid', message, { errors });
}
