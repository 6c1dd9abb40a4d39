import type { PushSubscription } from '#push/contract.ts';
import { api } from '#platform/web/api.ts';

export type PushState =
  /** The person was not asked yet, or did not answer. */
  | 'unasked'
  | 'allowed'
  /** The person refused, which only the browser's settings can change. */
  | 'refused'
  /** An iPhone or iPad shows notifications only of apps on the home screen. */
  | 'needs_home_screen'
  | 'unable';

/** Returns whether this browser can and may be notified, without asking for the permission. */
export function pushState(): PushState {
  if (!('serviceWorker' in navigator) || !('PushManager' in window) || !('Notification' in window)) {
    return isIosDevice() ? 'needs_home_screen' : 'unable';
  }
  const { permission } = Notification;
  if (permission === 'default') return 'unasked';
  return permission === 'granted' ? 'allowed' : 'refused';
}

/** Whether the device is an iPhone or an iPad. An iPad claims to be a Mac, but has a touch screen. */
export function isIosDevice(): boolean {
  const { userAgent, maxTouchPoints } = navigator;
  return /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);
}

/** The person refused the permission, or closed the browser's dialog. */
export class PushRefusedError extends Error {}
/** The server cannot send now, or the browser cannot subscribe. */
export class PushUnavailableError extends Error {}

/**
 * Asks for the permission if necessary, and returns this browser's subscription. Must be called by the handler of a
 * tap. Throws PushRefusedError, PushUnavailableError, or the errors of `api`.
 */
export async function subscribeDevice(): Promise<PushSubscription> {
  // The permission is requested before the call to the server, because a browser asks only shortly after a tap.
  if ((await Notification.requestPermission()) !== 'granted') throw new PushRefusedError();
  const { public_key: key } = (await api('GET /v1/push/key', {}, { timeout: 20_000 })).data;
  if (key === null) throw new PushUnavailableError();
  await navigator.serviceWorker.register('/service-worker.js');
  const { pushManager } = await navigator.serviceWorker.ready;
  const held = await pushManager.getSubscription();
  // The shop's key has changed. The push service would refuse messages to the old subscription, because they are signed
  // with the new key.
  if (held && !isSameKey(held.options.applicationServerKey, key)) await held.unsubscribe();
  try {
    return plain(await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
  } catch {
    // The browser has no push service, or the window is private.
    throw new PushUnavailableError();
  }
}

/** Returns this browser's subscription, without asking for the permission; null: none. */
export async function findBrowserSubscription(): Promise<PushSubscription | null> {
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
