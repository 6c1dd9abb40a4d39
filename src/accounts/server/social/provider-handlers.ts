import { sql } from 'kysely';
import { m } from '#messages';
import type { SignInProvider, signInProviderEndpoints, SignInProviderSetup } from '#accounts/provider-contract.ts';
import type { AccountServices } from '#accounts/server/services.ts';
import { isSameIssuer, type SignInProviderRow } from '#accounts/server/social/providers.ts';
import {
  addSignInProvider,
  changeSignInProvider,
  findSignInProviderRow,
  removeSignInProvider,
} from '#accounts/server/social/set-up-provider.ts';
import { providerReturnUrl, type SocialSignIn } from '#accounts/server/social/social-sign-in.ts';
import { mailFromAddress } from '#mail/server/services.ts';
import type { Db, Tx } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import { AppError } from '#platform/errors.ts';
import { AnswerWithStatus } from '#platform/http/answer.ts';
import type { Handlers } from '#platform/http/serve.ts';

type Services = Pick<AccountServices, 'config' | 'db' | 'log' | 'now' | 'signInProviders'>;

export function signInProviderHandlers(
  services: Services,
  signIn: SocialSignIn,
): Handlers<typeof signInProviderEndpoints, Db, Tx> {
  const { signInProviders: known } = services;
  return {
    'GET /v1/sign-in-providers': async ({ db }) => ({ data: await readSetup(db, services) }),

    'POST /v1/sign-in-providers': async ({ db, body, audit }) => {
      await addSignInProvider(services, signIn.client, body, (tx) => audit(tx));
      return new AnswerWithStatus(201, { data: await readSetup(db, services) });
    },

    'PATCH /v1/sign-in-providers/{id}': async ({ db, params, body, audit }) => {
      const row = await findSignInProviderRow(db, params.id);
      await changeSignInProvider(services, signIn.client, { row, change: body }, (tx) => audit(tx));
      return { data: await readSetup(db, services) };
    },

    'DELETE /v1/sign-in-providers/{id}': async ({ db, params, audit }) => {
      const { id } = await findSignInProviderRow(db, params.id);
      await removeSignInProvider(services, id, (tx) => audit(tx));
    },

    'POST /v1/sign-in-providers/{id}/trial': async ({ db, params, viewer, now, audit }) => {
      const { id } = await findSignInProviderRow(db, params.id);
      const provider = known.get(id);
      if (!provider) throw new AppError('conflict', m.accounts_provider_not_here());
      const data = await signIn.begin(db, provider, { purpose: 'trial', userId: viewer.id ?? '' }, now);
      await inTransaction(db, (tx) => audit(tx));
      return { data };
    },

    'POST /v1/sign-in-trial': async ({ db, body, viewer, now, audit }) => {
      const { claims, provider } = await signIn.end(db, body, { purpose: 'trial', userId: viewer.id ?? '' }, now);
      await inTransaction(db, async (tx) => {
        await tx.updateTable('sign_in_providers').set({ tried_at: now }).where('id', '=', provider.id).execute();
        await audit(tx);
      });
      const { email, isEmailConfirmed, name } = claims;
      return { data: { email, is_email_confirmed: isEmailConfirmed, name } };
    },
  };
}

async function readSetup(db: Db, services: Services): Promise<SignInProviderSetup> {
  const { config, signInProviders: known } = services;
  const rows = await db.selectFrom('sign_in_providers').selectAll().orderBy('created_at').orderBy('id').execute();
  const customers = await countCustomers(db);
  const environment = known.environment();
  return {
    return_url: providerReturnUrl(config),
    mail_from: mailFromAddress(config),
    environment: environment && {
      kind: environment.kind,
      name: environment.name,
      issuer: environment.issuer,
      client_id: environment.clientId,
    },
    providers: rows.map((row) => present(row, services, customers)),
  };
}

function present(row: SignInProviderRow, { signInProviders: known }: Services, customers: Counted[]): SignInProvider {
  const counted = customers.find(({ issuer }) => isSameIssuer(issuer, row.issuer));
  const secrets = known.get(row.id)?.secrets;
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    issuer: row.issuer,
    client_id: row.client_id,
    team_id: row.team_id,
    key_id: row.key_id,
    has_secret: secrets !== undefined && (secrets.clientSecret ?? secrets.privateKey) !== null,
    is_on: row.is_on,
    tried_at: row.tried_at?.toISOString() ?? null,
    problem: problemOf(row, known),
    customers: counted?.customers ?? 0,
    only_way: counted?.only_way ?? 0,
  };
}

function problemOf(row: SignInProviderRow, known: Services['signInProviders']): SignInProvider['problem'] {
  const environment = known.environment();
  if (environment && isSameIssuer(environment.issuer, row.issuer)) return { kind: 'twice', since: null };
  if (!known.get(row.id)) return { kind: 'not_here', since: null };
  return row.problem && { kind: row.problem, since: row.problem_since?.toISOString() ?? null };
}

interface Counted {
  issuer: string;
  customers: number;
  only_way: number;
}

async function countCustomers(db: Db): Promise<Counted[]> {
  const { rows } = await sql<Counted>`
    select issuer, count(distinct user_id)::int as customers,
      (count(distinct user_id) filter (where users.password_hash is null and not exists (
        select from identities other where other.user_id = identities.user_id and other.issuer <> identities.issuer
      )))::int as only_way
    from identities join users on users.id = identities.user_id
    group by issuer`.execute(db);
  return rows;
}
