import { createHmac } from 'node:crypto';
import type { Page } from '@playwright/test';

/**
 * The browser's own authenticator, made of software: it answers at once, as a person with a finger on the sensor would. What is
 * returned makes it somebody else's finger.
 */
export async function addAuthenticator(page: Page): Promise<(isTheirs: boolean) => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return async (isUserVerified) => {
    await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
  };
}

/** Adds a passkey on the open page My sign-in, and returns the recovery codes that come with the first one. */
export async function addPasskey(page: Page): Promise<string[]> {
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const kept = page.getByRole('region', { name: 'Keep these recovery codes' });
  const codes = ((await kept.locator('pre').textContent()) ?? '').split('\n');
  await kept.getByRole('button', { name: 'I have kept them' }).click();
  return codes;
}

/** The one-time code that an authenticator app shows (RFC 6238), from the secret as it is typed. */
export function codeOf(secret: string, at = Date.now()): string {
  let bits = '';
  for (const sign of secret.replaceAll(' ', '')) {
    bits += 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(sign).toString(2).padStart(5, '0');
  }
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(at / 30_000)));
  const mac = createHmac('sha1', key).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}
