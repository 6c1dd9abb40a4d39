import { generateKeyPairSync } from 'node:crypto';
import { decodeProtectedHeader, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { signAppleClientSecret, isAppleKey } from '#accounts/server/social/provider-client.ts';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const key = { teamId: 'TEAM123456', keyId: 'KEY1234567', privateKey: pem };
const asked = { clientId: 'com.example.shop', audience: 'https://appleid.apple.com' };

test('a client secret is signed by the team for Apple, and valid now for either of two clocks', async () => {
  const seconds = 1_800_000_000;
  const secret = await signAppleClientSecret(key, { ...asked, seconds });
  expect(decodeProtectedHeader(secret)).toEqual({ alg: 'ES256', kid: 'KEY1234567' });
  for (const skew of [-299, 0, 299]) {
    const currentDate = new Date((seconds + skew) * 1000);
    const { payload } = await jwtVerify(secret, publicKey, { currentDate });
    expect(payload).toMatchObject({ iss: 'TEAM123456', sub: asked.clientId, aud: asked.audience });
    expect(payload.iat).toBeLessThanOrEqual(seconds + skew);
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBeLessThanOrEqual(15_777_000);
  }
});

test('one is made for each use, so the next one ends later', async () => {
  const [first, second] = await Promise.all([
    signAppleClientSecret(key, { ...asked, seconds: 1_800_000_000 }),
    signAppleClientSecret(key, { ...asked, seconds: 1_900_000_000 }),
  ]);
  const currentDate = new Date(1_900_000_000_000);
  await expect(jwtVerify(first, publicKey, { currentDate })).rejects.toThrow('exp');
  await jwtVerify(second, publicKey, { currentDate });
});

test('what is no key of Apple is told before it is kept', async () => {
  expect(await isAppleKey(pem)).toBe(true);
  expect(await isAppleKey(pem.replaceAll('\n', '\r\n'))).toBe(true);
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' });
  expect(await isAppleKey(rsa.toString())).toBe(false);
  expect(await isAppleKey(pem.slice(0, 100))).toBe(false);
  expect(await isAppleKey('')).toBe(false);
});
