import { createECDH } from 'node:crypto';
import { expect, test } from 'vitest';
import { decrypt } from '#push/testing/decrypt.ts';

test('the example of RFC 8291 is decrypted, and nothing that was changed on the way', () => {
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(Buffer.from('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94', 'base64url'));
  const keys = { ecdh, auth: Buffer.from('BTBZMqHH6r4Tts7J_aSIgg', 'base64url') };
  const body = Buffer.from(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
    'base64url',
  );
  expect(decrypt(keys, body)).toBe('When I grow up, I want to be a watermelon');
  body[100] = (body[100] ?? 0) ^ 1;
  expect(() => decrypt(keys, body)).toThrow('unable to authenticate data');
});
