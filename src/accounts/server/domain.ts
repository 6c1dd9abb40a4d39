import type { FastifyInstance } from 'fastify';
import { accounts, setup } from '#accounts/contract.ts';
import { devices } from '#accounts/device-contract.ts';
import { factors } from '#accounts/factor-contract.ts';
import { signInProviders } from '#accounts/provider-contract.ts';
import { accountsHandlers, beforeAccounts } from '#accounts/server/handlers.ts';
import { eraseKeptAccount, readKeptAccount } from '#accounts/server/kept-account.ts';
import { accountMailExamples } from '#accounts/server/mail-examples.ts';
import { takeEarlierMails, writeAccountMails } from '#accounts/server/owed-mails.ts';
import type { AccountServices } from '#accounts/server/services.ts';
import { serveFormPost } from '#accounts/server/social/form-post.ts';
import { startAccountSweep } from '#accounts/server/sweep-accounts.ts';
import { social } from '#accounts/social-contract.ts';
import { calls } from '#database/domain.ts';
import type { Parts } from '#platform/server/parts.ts';

export const accountsDomain = {
  name: 'accounts',
  calls: [
    calls(
      { ...accounts, ...factors, ...social, ...signInProviders, ...devices, ...setup },
      accountsHandlers,
      beforeAccounts,
    ),
  ],
  routes: (http: FastifyInstance, services: AccountServices) => serveFormPost(http, services),
  mailExamples: accountMailExamples,
  writeMails: writeAccountMails,
  async start(services: AccountServices, parts: Parts) {
    await takeEarlierMails(services);
    parts.add('accounts', startAccountSweep(services));
  },
  personalData: readKeptAccount,
  eraser: ({ totpSecrets }: Pick<AccountServices, 'totpSecrets'>) => eraseKeptAccount(totpSecrets),
};
