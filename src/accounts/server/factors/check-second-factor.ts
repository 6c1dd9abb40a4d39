import { m } from '#messages';
import { factorsOf, isSecondNeeded, takeOneTimeCode } from '#accounts/server/factors/factor-rows.ts';
import type { AccountServices } from '#accounts/server/services.ts';
import { countAttempt, countOwn, forgiveAttempt, forgiveOwn, type OwnCount } from '#accounts/server/throttle.ts';
import type { UserRow } from '#accounts/server/users.ts';
import type { Db } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import { AppError, invalid } from '#platform/errors.ts';

interface Given {
  code: string | undefined;
  address: string;
  /** A device on which the account was signed in before: it has a count of its own, which no stranger uses up. */
  device: { id: string } | null;
  now: Date;
}

/** After the right password, where the account has a second factor. Throws 403 without a code, and 422 on a wrong one. */
export async function checkSecondFactor(
  { totpSecrets }: Pick<AccountServices, 'totpSecrets'>,
  db: Db,
  user: UserRow,
  { code, address, device, now }: Given,
): Promise<void> {
  const factors = await factorsOf(db, user.id);
  if (!isSecondNeeded(factors)) return;
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
