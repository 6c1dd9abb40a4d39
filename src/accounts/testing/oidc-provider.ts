import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { Provider } from 'oidc-provider';

export interface TestAccount {
  email?: string;
  email_verified?: boolean;
  name?: string;
}

/** A real OpenID provider on its own port; the login name is one of `accounts`. */
export interface TestProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  accounts: Record<string, TestAccount>;
  /** Allows the shop with the address `origin` as a client. */
  admitShop(origin: string): void;
  /** Goes through the provider's pages like a browser; returns the address to which it redirects the browser. */
  visit(url: string, login: string): Promise<URL>;
  close(): Promise<void>;
}

export async function startTestProvider(): Promise<TestProvider> {
  const server = createServer();
  const issuer = `http://localhost:${await listen(server)}`;
  const [clientId, clientSecret] = ['the-shop', randomUUID()];
  const accounts: Record<string, TestAccount> = {};

  const admitShop = (origin: string) => {
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: clientId,
          client_secret: clientSecret,
          redirect_uris: [`${origin}/auth/callback`],
          response_types: ['code'],
        },
      ],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      pkce: { required: () => true },
      cookies: { keys: [randomUUID()] },
      findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id, ...accounts[id] }) }),
      features: { devInteractions: { enabled: true } },
      ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 60, IdToken: 60 },
    });
    server.removeAllListeners('request');
    server.on('request', provider.callback());
  };

  const visit = async (start: string, login: string) => {
    const cookies = new Map<string, string>();
    let url = new URL(start);
    let form: URLSearchParams | null = null;
    for (let step = 0; step < 12; step += 1) {
      const response: Response = await fetch(url, {
        method: form ? 'POST' : 'GET',
        redirect: 'manual',
        headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
        ...(form && { body: form }),
      });
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        cookies.set(name, value);
      }
      const next = response.headers.get('location');
      if (next) {
        url = new URL(next, url);
        form = null;
        if (url.origin !== issuer) return url;
        continue;
      }
      const html = await response.text();
      const action = /action="([^"]+)"/.exec(html)?.[1];
      if (!action) throw new Error(`The provider shows no form: ${html.slice(0, 500)}`);
      url = new URL(action, url);
      form = new URLSearchParams({
        prompt: /name="prompt" value="(\w+)"/.exec(html)?.[1] ?? '',
        login,
        password: 'any',
      });
    }
    throw new Error('The provider keeps redirecting.');
  };

  return {
    issuer,
    clientId,
    clientSecret,
    accounts,
    admitShop,
    visit,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, 'localhost', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
  });
}
