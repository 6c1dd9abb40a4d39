import { request } from 'node:https';
import { buildPushPayload } from '@block65/webcrypto-web-push';
import { isPushService } from '#push/push-services.ts';
import type { VapidKeys } from '#push/server/vapid-keys.ts';
import { createPublicDnsLookup } from '#platform/server/addresses.ts';

/** The message for the service worker. It contains no name, address or dish, because it may appear on a lock screen. */
export interface PushMessage {
  title: string;
  body: string;
  tag: string;
  url: string;
  lang: string;
}

export type PushUrgency = 'normal' | 'high';

export interface PushRequest {
  endpoint: string;
  p256dh: string;
  auth: string;
  message: PushMessage;
  /** The time for which the push service stores the message (s). */
  ttl: number;
  urgency: PushUrgency;
  /**
   * The topic (RFC 8030), at most 32 characters of base64url. A message replaces an undelivered message with the same
   * topic.
   */
  topic: string;
}

export type PushPostOutcome =
  | { kind: 'sent' }
  /** The push service no longer knows the subscription. */
  | { kind: 'gone' }
  /**
   * The push service did not accept the message now. `after`: the delay before a retry in ms; null: the service named
   * none.
   */
  | { kind: 'later'; after: number | null; why: string }
  /** The push service refused the message, and would refuse a retry. */
  | { kind: 'refused'; why: string };

export interface PushPostConfig {
  /** The https: or mailto: URL at which a push service can reach the operator. */
  subject: string;
  /** The origin and certificate of a push service for tests. */
  test?: { origin: string; ca: string };
}

/** The timeout of one post (ms). */
const timeout = 8_000;
const lookupPublic = createPublicDnsLookup();

/** Encrypts a message (RFC 8291) and posts it to the push service (RFC 8030). Redirects are not followed. */
export async function postPushMessage(
  keys: VapidKeys,
  { subject, test }: PushPostConfig,
  posting: PushRequest,
): Promise<PushPostOutcome> {
  const { endpoint, p256dh, auth, message, ttl, urgency, topic } = posting;
  if (!isPushService(endpoint, test?.origin)) return { kind: 'refused', why: 'not a push service' };
  const url = new URL(endpoint);
  const { headers, body } = await buildPushPayload(
    { data: { ...message }, options: { ttl, urgency, topic } },
    { endpoint, expirationTime: null, keys: { p256dh, auth } },
    { subject, ...keys },
  );
  const isTest = url.origin === test?.origin;
  return new Promise((resolve) => {
    const later = (error: Error) => resolve({ kind: 'later', after: null, why: error.message });
    const sending = request(
      url,
      {
        method: 'POST',
        headers: { ...headers },
        agent: false,
        signal: AbortSignal.timeout(timeout),
        ...(isTest ? { ca: test.ca } : { lookup: lookupPublic }),
      },
      (answer) => {
        resolve(classifyPostResponse(answer.statusCode ?? 0, answer.headers['retry-after']));
        // The response's body is not needed.
        answer.destroy();
      },
    );
    sending.on('error', later);
    sending.end(body);
  });
}

/** Classifies a push service's response (RFC 8030, 7.3 and 8.4). */
export function classifyPostResponse(
  status: number,
  retryAfter: string | undefined,
  now = Date.now(),
): PushPostOutcome {
  if (status >= 200 && status < 300) return { kind: 'sent' };
  if (status === 404 || status === 410) return { kind: 'gone' };
  if (status === 429 || status >= 500)
    return { kind: 'later', after: delayOf(retryAfter, now), why: `status ${status}` };
  return { kind: 'refused', why: `status ${status}` };
}

/** Parses `Retry-After`, in seconds or as a date (RFC 9110, 10.2.3), into milliseconds; null: missing or invalid. */
function delayOf(text: string | undefined, now: number): number | null {
  if (text === undefined) return null;
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
