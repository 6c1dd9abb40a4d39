import { m } from '#messages';
import { maxAddresses, mergeOrderAddress } from '#accounts/addresses.ts';
import type { accountEndpoints } from '#accounts/contract.ts';
import {
  queueVerificationMail,
  confirmEmail,
  deletePasswordLinks,
  sendAccountNotice,
} from '#accounts/server/account-mail.ts';
import { checkPassword } from '#accounts/server/check-owner.ts';
import { presentDeviceUser, revokeDevice } from '#accounts/server/devices/device-tokens.ts';
import { prepareAccountForNewStaff } from '#accounts/server/account-data.ts';
import { hashPassword, refuseCommonPassword } from '#accounts/server/hash-password.ts';
import { forgetDeviceOfSignIn } from '#accounts/server/known-devices.ts';
import { readShopName } from '#accounts/server/shop-name.ts';
import { endSignIn, endSignIns, listSignIns, createSocketReauthoriser } from '#accounts/server/sign-ins.ts';
import { countAttempt, countActorAttempt, resetCountsAfterSuccess } from '#accounts/server/throttle.ts';
import { changeUser, findUserByEmail, readSignedInUser, presentUser, type UserRow } from '#accounts/server/users.ts';
import { withdrawConsent, recordConsent } from '#database/consents.ts';
import type { Db, Tx } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import { hasMailServer } from '#mail/server/services.ts';
import { AppError, invalidFieldError } from '#platform/errors.ts';
import type { HandlerInput, Handlers } from '#platform/http/serve.ts';
import type { SignInEndpointKey } from '#accounts/server/sign-in-handlers.ts';
import type { AccountServices } from '#accounts/server/services.ts';

type OwnAccount = Omit<typeof accountEndpoints, SignInEndpointKey>;

type Services = Pick<AccountServices, 'config' | 'jobs' | 'log' | 'mail' | 'menus' | 'realtime' | 'totpSecrets'>;
type OwnCall<K extends keyof OwnAccount> = HandlerInput<OwnAccount, K, Db, Tx>;

export function accountHandlers(services: Services): Handlers<OwnAccount, Db, Tx> {
  return {
    'POST /v1/auth/logout': async ({ db, viewer, now, afterCommit }) => {
      if (viewer.isDevice) await revokeDevice(db, viewer.id ?? '', now);
      if (viewer.signInId) await endSignIn(db, viewer.signInId);
      afterCommit(createSocketReauthoriser(services, viewer.id));
    },

    'POST /v1/auth/logout-everywhere': async ({ db, viewer, now, afterCommit, audit }) => {
      await inTransaction(db, async (tx) => {
        if (viewer.id) await endSignIns(tx, viewer.id, now);
        await audit(tx);
      });
      afterCommit(createSocketReauthoriser(services, viewer.id));
    },

    'GET /v1/auth/sign-ins': async ({ db, viewer, now }) => ({ data: await listSignIns(db, viewer, now) }),

    'DELETE /v1/auth/sign-ins/{id}': async ({ db, params, viewer, now, afterCommit, audit }) => {
      const own = await listSignIns(db, viewer, now);
      if (!own.some(({ id }) => id === params.id.toLowerCase())) {
        throw new AppError('not_found', m.platform_not_found());
      }
      await inTransaction(db, async (tx) => {
        await forgetDeviceOfSignIn(tx, params.id, viewer, now);
        await endSignIn(tx, params.id);
        await audit(tx);
      });
      afterCommit(createSocketReauthoriser(services, viewer.id));
    },

    'GET /v1/auth/user': async ({ db, viewer }) => ({
      data: viewer.isDevice ? presentDeviceUser(viewer) : presentUser(await readSignedInUser(db, viewer)),
    }),

    'PATCH /v1/auth/user': (call) => changeOwnUser(services, call),
    'POST /v1/auth/user/addresses': (call) => saveAddress(call),
    'POST /v1/auth/password': (call) => changePassword(services, call),

    'POST /v1/auth/verify-email': async ({ db, body, viewer, now, address, audit }) => {
      await countAttempt(db, 'verify-email', { address }, now);
      await inTransaction(db, async (tx) => {
        const user = await confirmEmail(tx, { userId: viewer.id, token: body.token, now });
        if (user === 'another') throw new AppError('conflict', m.accounts_verify_other());
        if (!user) throw invalidFieldError('token', m.accounts_verify_refused());
        await audit(tx, { data: presentUser(user) });
      });
      await resetCountsAfterSuccess(db, 'verify-email', { address });
      return { message: m.accounts_verify_done() };
    },

    'POST /v1/auth/send-verification': async ({ db, viewer, now, address, audit }) => {
      const user = await readSignedInUser(db, viewer);
      if (user.email_verified_at) return { message: m.accounts_verify_done() };
      await countAttempt(db, 'verify-email', { email: user.email, address }, now);
      await inTransaction(db, async (tx) => {
        await queueVerificationMail(services, tx, user);
        await audit(tx);
      });
      const { email } = user;
      return {
        message: hasMailServer(services.config)
          ? m.accounts_verify_sent({ email })
          : m.accounts_verify_unsent({ email }),
      };
    },
  };
}

async function changeOwnUser(services: Services, call: OwnCall<'PATCH /v1/auth/user'>) {
  const { db, body, viewer, now, address, audit } = call;
  const { password, ...change } = body;
  const user = await readSignedInUser(db, viewer);
  const isNewEmail = change.email !== undefined && change.email !== user.email.toLowerCase();
  if (isNewEmail) {
    if (password === undefined) throw invalidFieldError('password', m.accounts_password_needed());
    await checkPassword(db, user, { password, field: 'password', viewer, now });
    // Attempts are counted, because each attempt mails the typed address, and reveals whether that address has an
    // account.
    await countActorAttempt(db, { kind: 'email change', id: user.id }, now);
    await countAttempt(db, 'verify-email', { email: change.email ?? '', address }, now);
  }
  const changed = await inTransaction(db, async (tx) => {
    if (isNewEmail && (await accountInTheWay(services, tx, user, call))) {
      throw invalidFieldError('email', m.accounts_new_email_taken());
    }
    const row = await changeUser(tx, user.id, {
      ...change,
      ...(isNewEmail && { email_verified_at: null, invited: null }),
    });
    if (isNewEmail) {
      // Links in mails to the old address must no longer open the account. A notice to the old address reports the
      // change.
      await deletePasswordLinks(tx, user.id);
      await sendAccountNotice(tx, services, 'email_changed', user);
      await queueVerificationMail(services, tx, row);
    }
    await recordAllergies(tx, call, row);
    await audit(tx, { data: presentUser(row) });
    return row;
  });
  return { data: presentUser(changed) };
}

/**
 * Finds the account that already has the requested address; null: none. If the caller is staff, a customer's
 * unconfirmed account does not count, and is deleted.
 */
async function accountInTheWay(
  services: Services,
  tx: Tx,
  { role }: UserRow,
  { body: { email = '' }, afterCommit }: OwnCall<'PATCH /v1/auth/user'>,
): Promise<UserRow | null> {
  if (role !== 'customer') return prepareAccountForNewStaff(services, tx, email, afterCommit);
  return (await findUserByEmail(tx, email)) ?? null;
}

/**
 * Allergies are health data: saving allergies records the person's consent, and deleting all allergies ends the
 * consent.
 */
async function recordAllergies(
  tx: Tx,
  { body, now, header }: OwnCall<'PATCH /v1/auth/user'>,
  { id: userId, allergies }: UserRow,
): Promise<void> {
  if (body.allergies === undefined) return;
  if (allergies.length === 0) return withdrawConsent(tx, { userId, kind: 'allergies', now });
  const asked = { kind: 'allergies', page: '/customer/profile', words: m.people_allergies_hint() } as const;
  await recordConsent(tx, { ...asked, userId, device: header('user-agent') ?? '', now });
}

async function saveAddress(call: OwnCall<'POST /v1/auth/user/addresses'>) {
  const { db, body, viewer, audit } = call;
  const changed = await inTransaction(db, async (tx) => {
    // The account's row is locked, because two tabs may save addresses at once.
    const { addresses } = await readSignedInUser(tx, viewer, 'locked');
    const next = mergeOrderAddress(addresses, body.address, body.replaces ?? null);
    if (next.length > maxAddresses)
      throw invalidFieldError('address', m.accounts_addresses_full({ most: maxAddresses }));
    const row = await changeUser(tx, viewer.id ?? '', { addresses: next });
    await audit(tx, { data: presentUser(row) });
    return row;
  });
  return { data: presentUser(changed) };
}

async function changePassword(services: Services, call: OwnCall<'POST /v1/auth/password'>) {
  const { db, body, viewer, now, afterCommit, audit } = call;
  const user = await readSignedInUser(db, viewer);
  await checkPassword(db, user, { password: body.current_password, field: 'current_password', viewer, now });
  refuseCommonPassword(body.password, 'password', [user.name, user.email, await readShopName(services, db)]);
  const passwordHash = await hashPassword(body.password, user.id);
  const changed = await inTransaction(db, async (tx) => {
    const row = await changeUser(tx, user.id, { password_hash: passwordHash });
    await endSignIns(tx, user.id, now, { except: viewer.signInId });
    await deletePasswordLinks(tx, user.id);
    await sendAccountNotice(tx, services, 'password_changed', row);
    await audit(tx, { data: presentUser(row) });
    return row;
  });
  afterCommit(createSocketReauthoriser(services, user.id));
  return { data: presentUser(changed) };
}
