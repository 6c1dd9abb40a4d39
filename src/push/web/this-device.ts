import type { PushSubscription } from '#push/contract.ts';
import { api } from '#platform/web/api.ts';

/** Whether this browser can be notified, and may be. */
export type PushState =
  /** Nobody was asked, or they did not answer. */
  | 'unasked'
  | 'allowed'
  /** Refused: only the browser's own settings change that. */
  | 'refused'
  /** An iPhone or iPad: only an app on the home screen may. */
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

/** An iPad says that it is a Mac, but Macs have no touch screen. */
function isApplePhone(): boolean {
  const { userAgent, maxTouchPoints } = navigator;
  return /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);
}

/** The person said no to the browser's question, or closed it. */
export class PushRefused extends Error {}
/** The server or the browser cannot do it now. */
export class PushUnable extends Error {}

/**
 * Asks for permission, if nobody was asked yet, and returns this browser's subscription. Call it from a tap: browsers ask
 * only then. Throws PushRefused or PushUnable, or as `api` does.
 */
export async function subscribeDevice(): Promise<PushSubscription> {
  // First, because a browser forgets the tap while it waits for something else.
  if ((await Notification.requestPermission()) !== 'granted') throw new PushRefused();
  const { public_key: key } = (await api('GET /v1/push/key', {}, { timeout: 20_000 })).data;
  if (key === null) throw new PushUnable();
  await navigator.serviceWorker.register('/service-worker.js');
  const { pushManager } = await navigator.serviceWorker.ready;
  const held = await pushManager.getSubscription();
  // The shop has another key than when this browser subscribed: messages signed with it would be refused.
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
