import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { exportJWK, type JWTPayload, SignJWT } from 'jose';

/** A provider that answers each code with an ID token of the test's making, signed with a key that it shows. */
export interface ForgingProvider {
  issuer: string;
  clientId: string;
  /** Changes the claims of a right token, or its text. */
  forge(how: { claims?: JWTPayload; token?: (token: string) => string }): void;
  close(): Promise<void>;
}

const clientId = 'the-shop';
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

export async function startForgingProvider(): Promise<ForgingProvider> {
  let issuer = '';
  let forged: Parameters<ForgingProvider['forge']>[0] = {};
  const answers: Record<string, () => Promise<object>> = {
    '/.well-known/openid-configuration': async () => ({
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    }),
    '/jwks': async () => ({ keys: [{ ...(await exportJWK(publicKey)), kid: 'one', use: 'sig', alg: 'RS256' }] }),
    '/token': async () => {
      const seconds = Math.floor(Date.now() / 1000);
      const right = {
        iss: issuer,
        aud: clientId,
        sub: 'ada',
        iat: seconds,
        exp: seconds + 600,
        email: 'ada@example.com',
        email_verified: true,
        name: 'Ada',
      };
      const token = await new SignJWT({ ...right, ...forged.claims })
        .setProtectedHeader({ alg: 'RS256', kid: 'one' })
        .sign(privateKey);
      return { access_token: 'access', token_type: 'Bearer', id_token: forged.token?.(token) ?? token };
    },
  };
  const server = createServer((request, response) => {
    const answer = answers[request.url ?? ''];
    if (!answer) return void response.writeHead(404).end();
    void answer().then((body) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    );
  });
  await new Promise<void>((resolve) => void server.listen(0, 'localhost', resolve));
  const address = server.address();
  issuer = `http://localhost:${typeof address === 'object' && address ? address.port : 0}`;
  return {
    issuer,
    clientId,
    forge: (how) => void (forged = how),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
