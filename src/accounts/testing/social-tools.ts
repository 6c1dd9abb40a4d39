import { saturdayEvening } from '#testing/small-shop.ts';
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { TestAccount, TestProvider } from '#accounts/testing/oidc-provider.ts';
import type { ProviderReturn } from '#accounts/testing/visit-provider.ts';
import type { Response, TestApp } from '#testing/test-app.ts';

interface Begun {
  url: string;
  secret: string;
}

/**
 * Helpers that sign a person in at a provider; `world` is read at each call. Without an id, the shop's first provider
 * is used.
 */
export function socialTools(world: () => { app: TestApp; provider: TestProvider }) {
  const begin = async (provider?: string, more: Record<string, unknown> = {}): Promise<Begun> => {
    const body = { ...(provider !== undefined && { provider }), ...more };
    const { status, body: begun } = await world().app.request('POST', '/v1/auth/social/begin', { body });
    expect(status, JSON.stringify(begun)).toBe(200);
    return begun.data as Begun;
  };
  const end = (secret: string, back: ProviderReturn, change: Record<string, string> = {}): Promise<Response> =>
    world().app.request('POST', '/v1/auth/social/end', {
      body: { secret, ...Object.fromEntries(back.answer), ...change },
    });
  return {
    begin,
    end,
    async signIn(login: string, provider?: string): Promise<Response> {
      const { url, secret } = await begin(provider);
      return end(secret, await world().provider.visit(url, login));
    },
    /** A new person at the provider. */
    person(account: TestAccount = {}): { login: string; email: string } {
      const login = randomUUID();
      const email = account.email ?? `${login}@example.com`;
      world().provider.accounts[login] = { email, email_verified: true, name: 'Ada Byron', ...account };
      return { login, email };
    },
    /** A customer with a password, whose address is not confirmed. */
    async register(email: string): Promise<string> {
      const body = { name: 'Ada', email, phone: '07700 900123', password: 'correct horse' };
      return (await world().app.request('POST', '/v1/auth/register/customer', { body })).body.user.id as string;
    },
    confirm: (id: string) =>
      world()
        .app.database.db.updateTable('users')
        .set({ email_verified_at: saturdayEvening })
        .where('id', '=', id)
        .execute(),
  };
}
