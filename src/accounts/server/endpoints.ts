import { m } from '#messages';
import type { accounts, setup } from '#accounts/contract.ts';
import { verifyPassword } from '#accounts/server/passwords.ts';
import { setUpShop, isSetupNeeded } from '#accounts/server/setup.ts';
import { endSignIn, startSignIn } from '#accounts/server/sign-ins.ts';
import { createUser, findUserByEmail, presentUser } from '#accounts/server/users.ts';
import type { Db } from '#database/schema.ts';
import { AppError, invalid } from '#platform/errors.ts';
import type { Handlers } from '#platform/http/serve.ts';
import type { Services } from '#services.ts';

export function accountsEndpoints({ menus, realtime, log }: Services): Handlers<typeof accounts & typeof setup, Db> {
  return {
    'POST /v1/auth/login': async ({ db, body, now, header }) => {
      const user = await findUserByEmail(db, body.email);
      const isRight = await verifyPassword(body.password, user?.password_hash ?? null);
      if (!user || !isRight) throw invalid('email', m.accounts_wrong_credentials());
      return { token: await startSignIn(db, user.id, header('user-agent') ?? '', now), user: presentUser(user) };
    },

    'POST /v1/auth/register/customer': async ({ db, body, now, header }) => {
      const user = await createUser(db, { ...body, role: 'customer' });
      if (!user) throw invalid('email', m.accounts_email_taken());
      return { token: await startSignIn(db, user.id, header('user-agent') ?? '', now), user: presentUser(user) };
    },

    'POST /v1/auth/logout': async ({ db, viewer, afterCommit }) => {
      if (viewer.signInId) await endSignIn(db, viewer.signInId);
      // Its sockets must ask again for what they hear; those of the same user's other sign-ins get it at once.
      afterCommit(() =>
        realtime.disconnectUser(viewer.id ?? '', 'reauthorise').catch((error: unknown) => {
          log.warn({ err: error }, 'sockets were not told of a sign-out');
        }),
      );
    },

    'GET /v1/auth/user': async ({ db, viewer }) => {
      const user = await db.selectFrom('users').selectAll().where('id', '=', viewer.id).executeTakeFirst();
      if (!user) throw new AppError('unauthenticated', 'Unauthenticated.');
      return { data: presentUser(user) };
    },

    'GET /v1/setup': async ({ db }) => ({ data: { is_needed: await isSetupNeeded(db) } }),

    'POST /v1/setup': async ({ db, body, now, header }) => {
      const { user, storeId } = await setUpShop(db, body);
      menus.forget(storeId);
      return { token: await startSignIn(db, user.id, header('user-agent') ?? '', now), user: presentUser(user) };
    },
  };
}
