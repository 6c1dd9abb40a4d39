import { expect, test } from 'vitest';
import { signWebhook, verifyWebhook } from '#payment/server/sandbox/webhook.ts';

const now = new Date('2026-11-21T18:00:00Z');
const secret = 'a'.repeat(64);
const body = JSON.stringify({ id: 'evt_1', type: 'payment.authorised', reference: 'sbx_1' });
const signature = signWebhook(body, secret, now);
const after = (seconds: number) => new Date(now.getTime() + seconds * 1000);

test('what the provider signed is read', () => {
  expect(verifyWebhook(body, signature, secret, now)).toMatchObject({ id: 'evt_1', reference: 'sbx_1' });
});

// The expected digest was computed with `openssl dgst -sha256 -hmac` over "1795284000.{}".
test('the signature is HMAC-SHA256 over time and body', () => {
  expect(signWebhook('{}', 'secret', new Date(1_795_284_000_000))).toBe(
    't=1795284000,v1=504011782f3edd6ee885932de101eab080488c592997156d3cd52b689f0f2493',
  );
});

test.each([
  ['five minutes old', body, signature, secret, after(300), true],
  ['older', body, signature, secret, after(301), false],
  ['from five minutes ahead', body, signature, secret, after(-300), true],
  ['from further ahead', body, signature, secret, after(-301), false],
  ['with a changed body', body.replace('sbx_1', 'sbx_2'), signature, secret, now, false],
  ['with its time moved', body, signature.replace(/t=\d+/, `t=${after(100).getTime() / 1000}`), secret, now, false],
  ['signed with another secret', body, signature, 'b'.repeat(64), now, false],
  ['without a signature', body, '', secret, now, false],
  ['with a short signature', body, signature.slice(0, -2), secret, now, false],
  ['that is not JSON', 'hello', signWebhook('hello', secret, now), secret, now, false],
  ['without a reference', '{"id":"evt_1"}', signWebhook('{"id":"evt_1"}', secret, now), secret, now, false],
] as const)('a message %s', (_name, sent, signed, key, at, isTaken) => {
  expect(verifyWebhook(sent, signed, key, at) !== null).toBe(isTaken);
});
