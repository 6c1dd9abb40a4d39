import { m } from '#messages';
import { type NoticeServices, sendDeviceNotice } from '#accounts/server/account-mail.ts';
import { type Factors, factorsOf, isSecondNeeded, takeOneTimeCode } from '#accounts/server/factors/factor-rows.ts';
import type { AccountServices } from '#accounts/server/services.ts';
import {
  countAttempt,
  countOwn,
  forgiveAttempt,
  forgiveOwn,
  mayMailStop,
  type OwnCount,
} from '#accounts/server/throttle.ts';
import type { UserRow } from '#accounts/server/users.ts';
import type { Db } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import { AppError, invalid } from '#platform/errors.ts';

interface Given {
  code: string | undefined;
  address: string;
  userAgent: string;
  /** A device on which the account was signed in before: it has a count of its own, which no stranger uses up. */
  device: { id: string } | null;
  now: Date;
}

type Services = NoticeServices & Pick<AccountServices, 'totpSecrets'>;

/**
 * After the right password, where the account has a second factor. Throws 403 without a code, and 422 on a wrong one. Its owner
 * is told, unless it is on a device of theirs, where each sign-in stops here until the code is typed.
 */
export async function checkSecondFactor(services: Services, db: Db, user: UserRow, given: Given): Promise<void> {
  const factors = await factorsOf(db, user.id);
  if (!isSecondNeeded(factors)) return;
  await takeCode(services, db, user, factors, given).catch(async (error: unknown) => {
    if (error instanceof AppError && given.device === null) await tellOwner(services, db, user, given);
    throw error;
  });
}

async function takeCode(
  { totpSecrets }: Services,
  db: Db,
  user: UserRow,
  factors: Factors,
  { code, address, device, now }: Given,
): Promise<void> {
  if (code === undefined || code === '') {
    const ways = [
      ...(factors.totp ? ['totp'] : []),
      ...(factors.passkeys.length > 0 ? ['passkey'] : []),
      ...(factors.recoveryCodes > 0 ? ['recovery_code'] : []),
    ];
    throw new AppError('second_factor_required', m.accounts_code_needed(), { extra: { ways } });
  }
  const who = { email: user.email, address };
  const own: OwnCount | null = device && { kind: 'second factor', id: device.id };
  await (own ? countOwn(db, own, now) : countAttempt(db, 'second-factor', who, now));
  const isRight = await inTransaction(db, (tx) => takeOneTimeCode(tx, totpSecrets, { userId: user.id, code, now }));
  if (!isRight) throw invalid('one_time_code', m.accounts_code_wrong());
  await (own ? forgiveOwn(db, own) : forgiveAttempt(db, 'second-factor', who));
}

async function tellOwner(services: Services, db: Db, to: UserRow, { userAgent, now: at }: Given): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (await mayMailStop(tx, to.email, at))
      await sendDeviceNotice(tx, services, 'password_known', { to, userAgent, at });
  });
}
