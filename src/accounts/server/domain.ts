import type { FastifyInstance } from 'fastify';
import { accountEndpoints, setupEndpoints } from '#accounts/contract.ts';
import { deviceEndpoints } from '#accounts/device-contract.ts';
import { factorEndpoints } from '#accounts/factor-contract.ts';
import { signInProviderEndpoints, socialSignInEndpoints } from '#accounts/provider-contract.ts';
import { accountsHandlers, accountsEarlyChecks } from '#accounts/server/handlers.ts';
import { createAccountDataEraser, idleNoticePeriodMs, accountDataExports } from '#accounts/server/account-data.ts';
import { registerOldAccountMailQueues, registerAccountMailWriters } from '#accounts/server/account-mail.ts';
import type { AccountServices } from '#accounts/server/services.ts';
import { serveProviderFormPost } from '#accounts/server/social/social-handlers.ts';
import { endpointRegistration } from '#database/endpoint-registration.ts';
import type { ServerParts } from '#platform/server/parts.ts';
import { removeExpiredKnownDevices } from '#accounts/server/known-devices.ts';
import { removeEndedSignIns } from '#accounts/server/sign-ins.ts';
import { startSweep, type Sweep } from '#platform/server/sweep.ts';
import { writeAccountMail } from '#accounts/server/write-account-mail.ts';
import { type AccountMailKind, accountMailKinds } from '#database/mail-values.ts';
import type { MailContent } from '#mail/mail-content.ts';
import type { Db } from '#database/schema.ts';
import type { Store } from '#store/contract.ts';

const chromeOnWindows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36';

export function accountMailExamples(
  { publicUrl }: { publicUrl: string },
  { readStore, now }: { readStore: (db: Db) => Promise<Store>; now: () => Date },
): Record<AccountMailKind, (db: Db) => Promise<MailContent>> {
  const write = (kind: AccountMailKind) => async (db: Db) => {
    const { name, timezone } = await readStore(db);
    const ahead = kind === 'account_idle' ? idleNoticePeriodMs : 0;
    const device = { userAgent: chromeOnWindows, at: new Date(now().getTime() + ahead) };
    const about = {
      shop: { name, timezone },
      name: 'Ada Byron',
      publicUrl,
      token: 'example',
      provider: 'Google',
      ...device,
    };
    return writeAccountMail(kind, about);
  };
  // The cast is right: the object has every kind as a key, which TypeScript cannot infer from `Object.fromEntries`.
  return Object.fromEntries(accountMailKinds.map((kind) => [kind, write(kind)])) as Record<
    AccountMailKind,
    (db: Db) => Promise<MailContent>
  >;
}

export const accountsDomain = {
  name: 'accounts',
  calls: [
    endpointRegistration(
      {
        ...accountEndpoints,
        ...factorEndpoints,
        ...socialSignInEndpoints,
        ...signInProviderEndpoints,
        ...deviceEndpoints,
        ...setupEndpoints,
      },
      accountsHandlers,
      accountsEarlyChecks,
    ),
  ],
  routes: (http: FastifyInstance, services: AccountServices) => serveProviderFormPost(http, services),
  mailExamples: accountMailExamples,
  writeMails: registerAccountMailWriters,
  async start(services: AccountServices, parts: ServerParts) {
    await registerOldAccountMailQueues(services);
    parts.add('accounts', startAccountSweep(services));
  },
  personalData: accountDataExports,
  eraser: ({ totpSecrets }: Pick<AccountServices, 'totpSecrets'>) => createAccountDataEraser(totpSecrets),
};

/** Milliseconds between two sweeps. */
const every = 60 * 60_000;

/**
 * Starts the sweep that deletes expired rows: sign-ins, links, attempts and others. The sweep may run late, because
 * every read checks the expiry itself.
 */
export function startAccountSweep(
  services: Pick<AccountServices, 'clock' | 'db' | 'log' | 'now'>,
): Sweep & { sweep(): Promise<void> } {
  const { clock, db, log } = services;
  const sweep = async () => {
    const now = services.now();
    await removeEndedSignIns(db, now);
    await removeExpiredKnownDevices(db, now);
    await db.deleteFrom('password_resets').where('expires_at', '<=', now).execute();
    await db.deleteFrom('email_verifications').where('expires_at', '<=', now).execute();
    await db.deleteFrom('passkey_attempts').where('expires_at', '<=', now).execute();
    await db.deleteFrom('social_attempts').where('expires_at', '<=', now).execute();
    await db.deleteFrom('social_codes').where('expires_at', '<=', now).execute();
    await db.deleteFrom('given_names').where('expires_at', '<=', now).execute();
    await db.deleteFrom('device_codes').where('expires_at', '<=', now).execute();
    await db.deleteFrom('throttles').where('expires_at', '<=', now).execute();
  };
  return { sweep, ...startSweep({ name: 'account sweep', every, log, clock, atOnce: true }, sweep) };
}
