import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { ProviderEvent } from '#payment/server/provider.ts';
import { equalInConstantTime } from '#platform/server/secrets/secret-store.ts';

export const signatureHeader = 'sandbox-signature';
/** Seconds by which a webhook's time may differ from now; with a larger difference the webhook may be a replay. */
const tolerance = 300;

const Message = z.object({
  id: z.string().min(1).max(200),
  type: z.string().min(1).max(200).default('payment'),
  reference: z.string().min(1).max(200),
});

/** The signature of a webhook's body: `t=<unix seconds>,v1=<hex HMAC-SHA256 of "t.body">`. */
export function signWebhook(body: string, secret: string, now: Date): string {
  const time = Math.floor(now.getTime() / 1000);
  return `t=${time},v1=${sign(`${time}.${body}`, secret)}`;
}

/**
 * Verifies and reads a webhook; null unless the holder of the secret signed exactly this body within the last five
 * minutes.
 */
export function verifyWebhook(body: string, signature: string, secret: string, now: Date): ProviderEvent | null {
  const match = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(signature);
  if (!match) return null;
  const [, time = '', given = ''] = match;
  if (Math.abs(now.getTime() / 1000 - Number(time)) > tolerance) return null;
  const expected = sign(`${time}.${body}`, secret);
  if (!equalInConstantTime(given, expected)) return null;
  return parseMessage(body);
}

function parseMessage(body: string): ProviderEvent | null {
  try {
    const message = Message.safeParse(JSON.parse(body)).data;
    return message ? { ...message, ...nothingElse, object: message.reference } : null;
  } catch {
    return null;
  }
}

/** The empty values of the event fields that the sandbox does not send. */
const nothingElse = { paymentId: null, account: null, mode: null, amount: null, currency: null, at: null };

function sign(text: string, secret: string): string {
  return createHmac('sha256', secret).update(text).digest('hex');
}
