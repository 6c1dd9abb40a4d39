import { m } from '#messages';
import type { accountEndpoints } from '#accounts/contract.ts';
import {
  queueResetMail,
  queueVerificationMail,
  isResetTokenValid,
  type NoticeServices,
  redeemResetToken,
  sendSignInNotice,
  sendAccountNotice,
} from '#accounts/server/account-mail.ts';
import { signInToAccount, createSocketReauthoriser, userAgentOf } from '#accounts/server/sign-ins.ts';
import { matchesAccountPassword } from '#accounts/server/check-owner.ts';
import { findKnownDevice, recordDeviceSignIn } from '#accounts/server/known-devices.ts';
import { hashPassword, refuseCommonPassword } from '#accounts/server/hash-password.ts';
import { readShopName } from '#accounts/server/shop-name.ts';
import { setPasswordByMailedLink } from '#accounts/server/account-data.ts';
import {
  countAttempt,
  countActorAttempt,
  resetCountsAfterSuccess,
  clearActorCount,
  countAccountExistsMail,
  countResetMail,
  countPasswordKnownMail,
  type ActorCountKey,
} from '#accounts/server/throttle.ts';
import {
  findUser,
  findUserByEmail,
  insertUser,
  isPendingInvitation,
  presentUser,
  type UserRow,
  viewerOf,
} from '#accounts/server/users.ts';
import type { Db, Tx } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import { hasMailServer } from '#mail/server/services.ts';
import { AppError, invalidFieldError } from '#platform/errors.ts';
import { callerNetwork } from '#platform/server/client-address.ts';
import type { RefusalOutcome } from '#platform/http/audited-call.ts';
import type { HandlerInput, Handlers } from '#platform/http/serve.ts';
import { currentLanguage } from '#platform/language.ts';
import type { AccountServices } from '#accounts/server/services.ts';
import {
  type FactorRows,
  factorsOf,
  hasSecondFactor,
  redeemOneTimeCode,
} from '#accounts/server/factors/factor-rows.ts';

export type SignInEndpointKey =
  | 'POST /v1/auth/login'
  | 'POST /v1/auth/register/customer'
  | 'POST /v1/auth/forgot-password'
  | 'POST /v1/auth/reset-password';
type SignInCalls = Pick<typeof accountEndpoints, SignInEndpointKey>;

type Services = Pick<AccountServices, 'config' | 'jobs' | 'log' | 'mail' | 'menus' | 'realtime' | 'totpSecrets'>;

/**
 * The maximum number of audit lines an hour about one account, for new devices that are refused at the second factor.
 */
const maxStops = 50;

/**
 * The calls of people who are not signed in. Each call first counts an attempt, so that nobody can try without limit.
 */
export function signInHandlers(services: Services): Handlers<SignInCalls, Db, Tx> {
  return {
    'POST /v1/auth/login': async (call) => {
      const { db, body, now, address, secret } = call;
      const who = { email: body.email, address };
      const user = await findUserByEmail(db, body.email);
      const device = user ? await findKnownDevice(db, user.id, secret, now) : null;
      const own: ActorCountKey | null = device && { kind: 'known device', id: device.id };
      // The audit line is written after the HTTP response, because the response time must not reveal whether the
      // account exists.
      const note = (outcome: RefusalOutcome, most?: number) => user && call.note(outcome, viewerOf(user), most);
      const noted = (error: unknown): never => {
        if (error instanceof AppError && error.code === 'too_many_requests') note('throttled');
        if (error instanceof AppError && error.code === 'invalid') note('failed');
        throw error;
      };
      await (own ? countActorAttempt(db, own, now) : countAttempt(db, 'sign-in', who, now)).catch(noted);
      const isRight = await matchesAccountPassword(db, user ?? null, body.password, callerNetwork(address)).catch(
        noted,
      );
      if (!user || !isRight) {
        note('failed');
        throw invalidFieldError('email', m.accounts_wrong_credentials());
      }
      await (own ? clearActorCount(db, own) : resetCountsAfterSuccess(db, 'sign-in', who));
      const given = { code: body.one_time_code, userAgent: userAgentOf(call.header), address, device, now };
      await checkSecondFactor(services, db, user, given).catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'too_many_requests') note('throttled');
        // The first attempt on a known device usually has no code and is refused, so one audit line an hour is enough.
        else if (error instanceof AppError) note('refused', device ? 1 : maxStops);
        throw error;
      });
      return signInToAccount(services, db, user, call);
    },

    // The count of attempts is not reset after a success, so that nobody can register accounts in bulk.
    'POST /v1/auth/register/customer': async (call) => {
      const { db, body, now, address } = call;
      await countAttempt(db, 'register', { email: body.email, address }, now);
      refuseCommonPassword(body.password, 'password', [body.name, body.email, await readShopName(services, db)]);
      const { password, ...person } = body;
      const passwordHash = await hashPassword(password, callerNetwork(address));
      const user = await inTransaction(db, async (tx) => {
        const created = await insertUser(tx, {
          ...person,
          passwordHash,
          role: 'customer',
          locale: currentLanguage(),
          createdAt: now,
        });
        if (created) await queueVerificationMail(services, tx, created);
        return created;
      });
      if (user) return signInToAccount(services, db, user, call, 'beginning');
      await mailOwner(services, db, body.email, now);
      throw invalidFieldError('email', m.accounts_email_taken());
    },

    'POST /v1/auth/forgot-password': async ({ db, body, now, address }) => {
      await countAttempt(db, 'forgot-password', { email: body.email, address }, now);
      // The response is the same above the limit. A different response would reveal that others requested links for
      // this address.
      if (await countResetMail(db, body.email, now))
        await inTransaction(db, (tx) => queueResetMail(services, tx, body.email));
      if (hasMailServer(services.config)) return { message: m.accounts_reset_asked(), is_sent: true };
      const phone = (await services.menus.store(db))?.store.phone ?? '';
      return { message: m.accounts_reset_unsent({ phone, has_phone: phone === '' ? 'no' : 'yes' }), is_sent: false };
    },

    'POST /v1/auth/reset-password': (call) => resetPassword(services, call),
  };
}

/**
 * Mails the owner of this address's account, at most twice an hour: somebody has tried to register the address again.
 */
async function mailOwner(services: Services, db: Db, email: string, now: Date): Promise<void> {
  const owner = await findUserByEmail(db, email);
  if (!owner || isPendingInvitation(owner) || !(await countAccountExistsMail(db, email, now))) return;
  await inTransaction(db, (tx) => sendAccountNotice(tx, services, 'account_exists', owner));
}

async function resetPassword(
  services: Services,
  call: HandlerInput<SignInCalls, 'POST /v1/auth/reset-password', Db, Tx>,
) {
  const { db, body, now, address, afterCommit, audit, secret, header } = call;
  await countAttempt(db, 'reset-password', { address }, now);
  const shop = await readShopName(services, db);
  refuseCommonPassword(body.password, 'password', [shop]);
  if (!(await isResetTokenValid(db, body.token, now))) throw invalidFieldError('token', m.accounts_reset_refused());
  const passwordHash = await hashPassword(body.password, callerNetwork(address));
  const { user, device } = await inTransaction(db, async (tx) => {
    const link = await redeemResetToken(tx, body.token, now);
    if (!link) throw invalidFieldError('token', m.accounts_reset_refused());
    const taken = await findUser(tx, link.userId);
    refuseCommonPassword(body.password, 'password', [shop, taken?.name ?? '', taken?.email ?? '']);
    const changed = await setPasswordByMailedLink(tx, { ...link, passwordHash, device: secret, now });
    await sendAccountNotice(tx, services, 'password_changed', changed);
    await audit(tx, { data: presentUser(changed) }, viewerOf(changed));
    // The mailed link proved that the person owns the account, so the device becomes known. A known device has its own
    // count of attempts, which strangers' guesses cannot exhaust.
    return {
      user: changed,
      device: await recordDeviceSignIn(tx, link.userId, { token: secret, userAgent: userAgentOf(header) }, now),
    };
  });
  afterCommit(createSocketReauthoriser(services, user.id));
  await resetCountsAfterSuccess(db, 'reset-password', { address });
  await resetCountsAfterSuccess(db, 'sign-in', { email: user.email, address });
  return { message: m.accounts_reset_done(), device_token: device.token };
}

interface SecondFactorAttempt {
  code: string | undefined;
  address: string;
  userAgent: string;
  /** The known device, which has its own count of attempts; null on a new device. */
  device: { id: string } | null;
  now: Date;
}

type SecondFactorServices = NoticeServices & Pick<AccountServices, 'totpSecrets'>;

/**
 * Checks the second factor, if there is one, after the password was right. Throws 403 without a code, 422 on a wrong
 * code, 429 after too many attempts. The owner gets a mail about a refusal on a new device, at most one an hour.
 */
async function checkSecondFactor(
  services: SecondFactorServices,
  db: Db,
  user: UserRow,
  given: SecondFactorAttempt,
): Promise<void> {
  const factors = await factorsOf(db, user.id);
  if (!hasSecondFactor(factors)) return;
  await takeCode(services, db, user, factors, given).catch(async (error: unknown) => {
    if (error instanceof AppError && given.device === null) await tellOwnerOfFactor(services, db, user, given);
    throw error;
  });
}

async function takeCode(
  { totpSecrets }: SecondFactorServices,
  db: Db,
  user: UserRow,
  factors: FactorRows,
  { code, address, device, now }: SecondFactorAttempt,
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
  const own: ActorCountKey | null = device && { kind: 'second factor', id: device.id };
  await (own ? countActorAttempt(db, own, now) : countAttempt(db, 'second-factor', who, now));
  const isRight = await inTransaction(db, (tx) => redeemOneTimeCode(tx, totpSecrets, { userId: user.id, code, now }));
  if (!isRight) throw invalidFieldError('one_time_code', m.accounts_code_wrong());
  await (own ? clearActorCount(db, own) : resetCountsAfterSuccess(db, 'second-factor', who));
}

async function tellOwnerOfFactor(
  services: SecondFactorServices,
  db: Db,
  to: UserRow,
  { userAgent, now: at }: SecondFactorAttempt,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (await countPasswordKnownMail(tx, to.email, at))
      await sendSignInNotice(tx, services, 'password_known', { to, userAgent, at });
  });
}
