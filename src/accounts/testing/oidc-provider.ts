import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { exportJWK, importSPKI, jwtVerify } from 'jose';
import { type Context, Provider } from 'oidc-provider';
import { visitProvider, type ProviderReturn } from '#accounts/testing/visit-provider.ts';

export interface TestAccount {
  email?: string;
  /** Apple sends text. */
  email_verified?: boolean | string;
  name?: string;
  /** Google: the domain of the organisation that manages the address. */
  hd?: string;
}

/** What of Google or Apple the provider plays. */
type Part = 'google' | 'apple' | 'other';

/** A real OpenID provider on its own port; the login name is one of `accounts`. */
export interface TestProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Apple: the key of the shop's team. */
  apple: { teamId: string; keyId: string; privateKey: string };
  accounts: Record<string, TestAccount>;
  /** Allows the shop with the address `origin` as a client. */
  admitShop(origin: string): void;
  /** Goes through the provider's pages like a browser, until it is sent back to the shop. */
  visit(url: string, login: string): Promise<ProviderReturn>;
  /** Signs with another key from now on; codes that were given before are not known any more. */
  rotateKeys(): Promise<void>;
  /** Answers every request with this status, or not at all; null: as usual. */
  fail(how: number | 'silent' | null): void;
  /** Shows keys that it does not sign with. */
  showOtherKeys(): Promise<void>;
  close(): Promise<void>;
}

/** Half a year, in seconds: the longest life of a client secret at Apple. */
const longestSecret = 15_777_000;

export async function startTestProvider(part: Part = 'other'): Promise<TestProvider> {
  const server = createServer();
  const issuer = `http://localhost:${await listen(server)}`;
  const clientId = part === 'google' ? 'the-shop.apps.googleusercontent.com' : 'com.example.shop.signin';
  const clientSecret = randomUUID();
  const accounts: Record<string, TestAccount> = {};
  const apple = await makeAppleKey();
  let keys = await makeKeys();
  let otherKeys: object | null = null;
  let failing: number | 'silent' | null = null;
  let origin = '';

  const start = () => {
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: clientId,
          client_secret: clientSecret,
          redirect_uris: [`${origin}/auth/callback`],
          response_types: ['code'],
          token_endpoint_auth_method: 'client_secret_post',
        },
      ],
      claims: { openid: ['sub', 'hd'], email: ['email', 'email_verified'], profile: ['name'] },
      scopes: ['openid', 'email', part === 'apple' ? 'name' : 'profile'],
      // Google and Apple put everything into the ID token; Apple has nothing else.
      conformIdTokenClaims: part === 'other',
      jwks: keys.signing,
      pkce: { required: () => true },
      cookies: { keys: [randomUUID()] },
      findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id, ...claimsOf(accounts[id], part) }) }),
      features: { devInteractions: { enabled: true }, userinfo: { enabled: part !== 'apple' } },
      ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 60, IdToken: 600, AuthorizationCode: 60 },
    });
    if (part === 'apple') {
      provider.Client.prototype.compareClientSecret = (secret) => isSecretOf(apple, { clientId, issuer, secret });
      provider.use(postNames(accounts));
    }
    const answer = provider.callback();
    server.removeAllListeners('request');
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      if (failing === 'silent') return;
      if (failing !== null) return void response.writeHead(failing).end();
      if (otherKeys && request.url === '/jwks') return void sendJson(response, otherKeys);
      // The package has no page on which one chooses an account.
      request.url = request.url?.replace('&prompt=select_account', '');
      answer(request, response);
    });
  };

  return {
    issuer,
    clientId,
    clientSecret,
    apple,
    accounts,
    admitShop(at) {
      origin = at;
      start();
    },
    visit: (url, login) => visitProvider(issuer, url, login),
    async rotateKeys() {
      keys = await makeKeys();
      start();
    },
    fail: (how) => void (failing = how),
    async showOtherKeys() {
      otherKeys = (await makeKeys()).shown;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Apple gives the name only by its first post. */
function claimsOf(account: TestAccount | undefined, part: Part): TestAccount {
  if (part !== 'apple') return account ?? {};
  const { name: _posted, ...claims } = account ?? {};
  return claims;
}

/** Adds what Apple posts when somebody signs in for the first time. */
function postNames(accounts: Record<string, TestAccount>) {
  const known = new Set<string>();
  return async (context: Context, next: () => Promise<void>): Promise<void> => {
    await next();
    const id = context.oidc?.session?.accountId ?? '';
    const [firstName = '', lastName = ''] = (accounts[id]?.name ?? '').split(' ');
    const { body } = context;
    if (typeof body !== 'string' || !body.includes('name="code"') || firstName === '' || known.has(id)) return;
    known.add(id);
    const user = JSON.stringify({ name: { firstName, lastName }, email: accounts[id]?.email });
    const field = `<input type="hidden" name="user" value="${user.replaceAll('"', '&quot;')}"/>`;
    context.body = body.replace('<noscript>', `${field}<noscript>`);
  };
}

interface AppleKey {
  teamId: string;
  keyId: string;
  privateKey: string;
  publicKey: string;
}

async function makeAppleKey(): Promise<AppleKey> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  return { teamId: 'TEAM123456', keyId: 'KEY1234567', privateKey, publicKey };
}

/** As Apple checks a client secret, by its own clock. */
async function isSecretOf(
  { teamId, keyId, publicKey }: AppleKey,
  { clientId, issuer, secret }: { clientId: string; issuer: string; secret: string },
): Promise<boolean> {
  try {
    const key = await importSPKI(publicKey, 'ES256');
    const expected = { issuer: teamId, subject: clientId, audience: issuer, algorithms: ['ES256'] };
    const { payload, protectedHeader } = await jwtVerify(secret, key, expected);
    const { iat = Infinity, exp = Infinity } = payload;
    return protectedHeader.kid === keyId && iat <= Date.now() / 1000 && exp - iat <= longestSecret;
  } catch {
    return false;
  }
}

async function makeKeys(): Promise<{ signing: { keys: object[] }; shown: object }> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const names = { kid: randomUUID(), use: 'sig', alg: 'RS256' };
  return {
    signing: { keys: [{ ...(await exportJWK(privateKey)), ...names }] },
    shown: { keys: [{ ...(await exportJWK(publicKey)), ...names }] },
  };
}

function sendJson(response: ServerResponse, value: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, 'localhost', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
  });
}
