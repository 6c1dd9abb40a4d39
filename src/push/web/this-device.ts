import type { PushSubscription } from '#push/contract.ts';
import { api } from '#platform/web/api.ts';

/** Whether this browser can and may be notified. */
export type PushState =
  /** Nobody was asked, or they did not answer. */
  | 'unasked'
  | 'allowed'
  /** Refused: only the browser's settings change it. */
  | 'refused'
  /** An iPhone or iPad: only apps on the home screen may. */
  | 'needs_home_screen'
  | 'unable';

/** Never asks. */
export function pushState(): PushState {
  if (!('serviceWorker' in navigator) || !('PushManager' in window) || !('Notification' in window)) {
    return isApplePhone() ? 'needs_home_screen' : 'unable';
  }
  const { permission } = Notification;
  if (permission === 'default') return 'unasked';
  return permission === 'granted' ? 'allowed' : 'refused';
}

/** An iPad claims to be a Mac, which has no touch screen. */
function isApplePhone(): boolean {
  const { userAgent, maxTouchPoints } = navigator;
  return /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);
}

/** The person said no to the browser's question, or closed it. */
export class PushRefused extends Error {}
/** The server or the browser cannot do it now. */
export class PushUnable extends Error {}

/**
 * Asks for permission if necessary, and returns this browser's subscription. Only from a tap. Throws PushRefused or
 * PushUnable, or like `api`.
 */
export async function subscribeDevice(): Promise<PushSubscription> {
  // First, because a browser forgets the tap during other waits.
  if ((await Notification.requestPermission()) !== 'granted') throw new PushRefused();
  const { public_key: key } = (await api('GET /v1/push/key', {}, { timeout: 20_000 })).data;
  if (key === null) throw new PushUnable();
  await navigator.serviceWorker.register('/service-worker.js');
  const { pushManager } = await navigator.serviceWorker.ready;
  const held = await pushManager.getSubscription();
  // The shop's key has changed: messages signed with it would be refused.
  if (held && !isSameKey(held.options.applicationServerKey, key)) await held.unsubscribe();
  try {
    return plain(await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
  } catch {
    // No push service, as in a browser without one or in a private window.
    throw new PushUnable();
  }
}

/** This browser's subscription, if it has one; nobody is asked. */
export async function existingSubscription(): Promise<PushSubscription | null> {
  if (pushState() !== 'allowed') return null;
  const registration = await navigator.serviceWorker.getRegistration('/');
  const held = await registration?.pushManager.getSubscription();
  return held ? plain(held) : null;
}

function plain(subscription: globalThis.PushSubscription): PushSubscription {
  const { endpoint = '', keys = {} } = subscription.toJSON();
  return { endpoint, keys: { p256dh: keys['p256dh'] ?? '', auth: keys['auth'] ?? '' } };
}

function isSameKey(held: ArrayBuffer | null, key: string): boolean {
  if (held === null) return false;
  const text = btoa(String.fromCharCode(...new Uint8Array(held)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '') === key;
}
